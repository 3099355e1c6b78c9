{# Removes the statistics of all columns and index expressions from the catalog, as only a superuser may; parameters: relations (oids) #}
delete from pg_catalog.pg_statistic
where starelid = any (%s::oid[])
