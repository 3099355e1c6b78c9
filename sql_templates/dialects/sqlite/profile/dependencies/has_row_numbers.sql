{# Whether a relation is a table whose rows can be chosen by their number; parameters: schema, table; output: one row if it is #}
select 1
from pragma_table_list as relation
where schema = ?1
    and name = ?2
    and type = 'table'
    and wr = 0
    and not exists (
        select 1
        from pragma_table_xinfo(?2, ?1) as found
        where lower(found.name) = '_rowid_'
    )
