{# How the database undoes: by which file; output: mode #}
pragma journal_mode
