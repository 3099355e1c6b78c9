{# Waits until no other transaction holds a name, then holds it until this one ends; parameters: name; output: unused #}
select pg_advisory_xact_lock(hashtextextended(%s, 1))
