{# Stops checking foreign keys, so referenced rows can be deleted; preflight has already named the foreign keys to the table #}
set session foreign_key_checks = 0
