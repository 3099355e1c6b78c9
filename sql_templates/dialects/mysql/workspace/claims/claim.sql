{# Holds a name for as long as the session lives; parameters: name; output: whether it was free #}
select get_lock(left(concat('kanon:', %s), 64), 0)
