{# Drops a permanent table if it exists; inputs: table #}
drop table if exists {{ table | name }}
