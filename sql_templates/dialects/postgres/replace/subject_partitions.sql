{#- The table with its partitions as common table expressions; parameters: schema, table; output: subject, part (oid) -#}
{% include "dialects/postgres/replace/subject.sql" %},
part as (
    select oid
    from subject
    union
    select tree.relid::oid
    from subject
    cross join lateral pg_partition_tree(subject.oid) as tree
)
