{# Removes the rows of a run; inputs: table, placeholder; parameters: the run #}
delete from {{ table | name }}
where run_id = {{ placeholder }}
