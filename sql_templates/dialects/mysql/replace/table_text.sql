{# How the table is written; inputs: table; output: name, text #}
show create table {{ table | name }}
