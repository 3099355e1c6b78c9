{# The version of the database; output: version #}
select 'SQLite ' || sqlite_version()
