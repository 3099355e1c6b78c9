{# Renames a table in its schema; inputs: table, to #}
alter table {{ table | name }} rename to {{ to.table | name }}
