{# Holds a name for as long as the session lives; parameters: name; output: whether it was free #}
select pg_try_advisory_lock(hashtextextended(%s, 0))
