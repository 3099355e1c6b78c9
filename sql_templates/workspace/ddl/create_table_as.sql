{# Creates a table from a query; inputs: table, select #}
create table {{ table | name }} as
{{ select }}
