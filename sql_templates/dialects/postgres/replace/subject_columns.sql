{#- The table and its columns as common table expressions; parameters: schema, table; output: subject, attribute (rows of pg_attribute) -#}
{% include "dialects/postgres/replace/subject.sql" %},
attribute as (
    select a.*
    from subject
    join pg_catalog.pg_attribute as a on a.attrelid = subject.oid and a.attnum > 0 and not a.attisdropped
)
