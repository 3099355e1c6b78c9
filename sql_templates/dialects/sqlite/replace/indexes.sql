{# The table's indexes that were created by CREATE INDEX; parameters: schema, table; output: name, is_unique, text #}
select list.name, list."unique", master.sql
from pragma_index_list(?2, ?1) as list
join sqlite_master as master on master.type = 'index' and master.name = list.name
where master.sql is not null
