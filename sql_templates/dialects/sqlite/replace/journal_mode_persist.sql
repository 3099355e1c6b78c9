{# Keeps the rollback journal again, as before; output: mode #}
pragma journal_mode = persist
