{# Removes all rows, in the transaction; inputs: table #}
delete from {{ table | name }}
