{# Fills a table whose columns are those of a query, in the same order; inputs: table, select #}
insert into {{ table | name }}
{{ select }}
