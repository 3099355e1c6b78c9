{# The database file (empty for a database in memory) and its pages in use; output: file, bytes in use, 1 if temporary files are kept in memory #}
select
    (select file from pragma_database_list where name = 'main'),
    ((select page_count from pragma_page_count) - (select freelist_count from pragma_freelist_count))
        * (select page_size from pragma_page_size),
    (select temp_store = 2 from pragma_temp_store)
