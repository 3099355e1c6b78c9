{# Changes the row of a run; inputs: table, columns (names), placeholder; parameters: their values, then the run #}
update {{ table | name }}
set
    {% for column in columns %}
    {{ column | name }} = {{ placeholder }}{{ "," if not loop.last }}
    {% endfor %}
where run_id = {{ placeholder }}
