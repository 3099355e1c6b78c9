{# Deletes the statistics of a dropped table; a renamed table keeps its statistics under its former name; inputs: statistics (a table); parameters: table #}
delete from {{ statistics | name }}
where not exists (select 1 from sqlite_master where type = 'table' and lower(name) = lower(tbl))
    or exists (select 1 from sqlite_master where type = 'index' and lower(name) = lower(idx) and lower(tbl_name) = lower(?1))
