{# The version of the database; output: version #}
select version()
