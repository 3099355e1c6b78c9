{# How this user can remove statistics; output: whether the server has a function for it (PostgreSQL 18), whether the user may delete from the catalog #}
select
    to_regprocedure('pg_catalog.pg_clear_attribute_stats(text, text, text, boolean)') is not null,
    has_table_privilege('pg_catalog.pg_statistic', 'delete')
