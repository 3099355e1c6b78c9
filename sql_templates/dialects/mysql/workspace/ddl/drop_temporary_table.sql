{# Drops a temporary table without committing; inputs: table #}
drop temporary table if exists {{ table | name }}
