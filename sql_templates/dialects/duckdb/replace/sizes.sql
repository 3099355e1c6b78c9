{# Blocks in use; parameters: the columns that stay, the table's name; output: bytes of a block, used in all, by the table, by those columns #}
with blocks as (
    select column_name, unnest(list_append(additional_block_ids, block_id)) as block
    from pragma_storage_info($2)
    where persistent
)
select
    any_value(size.block_size),
    any_value(size.used_blocks),
    (select count(distinct block) from blocks),
    (select count(distinct block) from blocks where list_contains($1, column_name))
from pragma_database_size() as size
where size.database_name = current_database()
