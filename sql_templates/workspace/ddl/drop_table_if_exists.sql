{# Drops a lasting table of the run if it is there; inputs: table #}
drop table if exists {{ table | name }}
