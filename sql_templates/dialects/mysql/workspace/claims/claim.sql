{# Holds a name until it is released or the session ends; parameters: name; output: whether it was free #}
select get_lock(left(concat('kanon:', %s), 64), 0)
