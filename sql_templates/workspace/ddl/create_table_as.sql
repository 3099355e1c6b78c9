{# A table filled by a query; inputs: table, select #}
create table {{ table | name }} as
{{ select }}
