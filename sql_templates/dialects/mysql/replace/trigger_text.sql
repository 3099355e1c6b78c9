{# How a trigger is written; inputs: trigger; output: name, sql_mode, text, … #}
show create trigger {{ trigger | name }}
