{# Drops the temporary view of a query; inputs: table #}
drop view {{ table | name }}
