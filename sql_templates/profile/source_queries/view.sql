{# A temporary view of a query, which keeps the declared types of its columns; inputs: table, select #}
create temporary view {{ table | name }} as
{{ select }}
