{# Tables of kanon_sql; output: schema, table #}
select 'main', name
from sqlite_master
where type = 'table' and (substr(name, 1, 8) = '__kanon_' or name = 'kanon_runs')
order by name
