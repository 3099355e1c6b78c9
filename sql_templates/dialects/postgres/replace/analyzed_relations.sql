{# Relations in which ANALYZE, which has just run, found rows; parameters: relations (oids); output: oid, whether it counted the rows of partitions #}
select c.oid, c.relkind = 'p'
from pg_catalog.pg_class as c
where c.oid = any (%s::oid[]) and c.reltuples > 0 and pg_has_role(c.relowner, 'usage')
