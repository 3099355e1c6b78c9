{# Holds a name until it is released or the session ends; parameters: name; output: whether it was free #}
select pg_try_advisory_lock(hashtextextended(%s, 0))
