{# Removes the file of undone pages, which would keep original rows; output: mode #}
pragma journal_mode = delete
