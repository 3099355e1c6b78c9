{# Removes the rollback journal, which would keep original rows; output: mode #}
pragma journal_mode = delete
