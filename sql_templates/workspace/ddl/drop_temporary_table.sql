{# Drops a temporary table of the run if it is there; inputs: table #}
drop table if exists {{ table | name }}
