{# Creates a temporary table from a query; inputs: table, select #}
create temporary table {{ table | name }} as
{{ select }}
