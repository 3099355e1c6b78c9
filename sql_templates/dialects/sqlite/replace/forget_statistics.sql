{# Removes statistics that a dropped table left: a table that was renamed keeps them under its earlier name; inputs: statistics (a table); parameters: table #}
delete from {{ statistics | name }}
where not exists (select 1 from sqlite_master where type = 'table' and lower(name) = lower(tbl))
    or exists (select 1 from sqlite_master where type = 'index' and lower(name) = lower(idx) and lower(tbl_name) = lower(?1))
