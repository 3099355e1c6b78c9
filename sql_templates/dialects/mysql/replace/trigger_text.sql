{# The CREATE TRIGGER statement of a trigger; inputs: trigger; output: name, sql_mode, text, … #}
show create trigger {{ trigger | name }}
