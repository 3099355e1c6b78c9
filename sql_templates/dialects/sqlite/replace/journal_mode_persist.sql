{# Keeps the file of undone pages from now on, as it was; output: mode #}
pragma journal_mode = persist
