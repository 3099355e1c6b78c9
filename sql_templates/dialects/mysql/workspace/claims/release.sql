{# Releases a name; parameters: name; output: whether it was held #}
select release_lock(left(concat('kanon:', %s), 64))
