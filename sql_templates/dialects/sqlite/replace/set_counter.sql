{# Restores the AUTOINCREMENT counter; parameters: seq, table #}
update sqlite_sequence
set seq = max(seq, ?1)
where name = ?2
