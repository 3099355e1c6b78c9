{# The CREATE TABLE statement of the table; inputs: table; output: name, text #}
show create table {{ table | name }}
