{# Adds the counter of a table that no row was inserted into; parameters: table #}
insert into sqlite_sequence (name, seq)
select ?1, 0
where not exists (select 1 from sqlite_sequence where name = ?1)
