{# Drops a table; inputs: table #}
drop table {{ table | name }}
