{# The columns of a temporary table, which the catalog does not list; inputs: table; output: name, type, collation … #}
show full columns from {{ table | name }}
