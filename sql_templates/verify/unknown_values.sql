{# Rows whose sensitive value has no code; inputs: table, values (q, codes); output: row_count #}
select count(*) as row_count
from {{ table | name }} as release_row
left join {{ values.codes | name }} as codes on codes.value = {{ values.q.column | exact("release_row") }}
where release_row.{{ values.q.column.name | name }} is not null and codes.code is null
