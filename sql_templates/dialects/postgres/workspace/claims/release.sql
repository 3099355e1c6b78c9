{# Releases a name; parameters: name; output: whether it was held #}
select pg_advisory_unlock(hashtextextended(%s, 0))
