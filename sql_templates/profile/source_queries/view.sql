{# A temporary view of a query, which keeps the types its columns were declared with; inputs: table, select #}
create temporary view {{ table | name }} as
{{ select }}
