{# The journal mode of the database; output: mode #}
pragma journal_mode
