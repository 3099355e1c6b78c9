{# Drops a column of a table of the run; inputs: table, column #}
alter table {{ table | name }} drop column {{ column.name | name }}
