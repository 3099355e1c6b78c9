{# Rows of a column that already hold a label; inputs: table, column, hide and char (a mask), labels (a table, or None), sets (whether sets are labels); output: rows, labels #}
select
    count(*) as row_count,
    coalesce(sum(case
        when held = '*' then 1
        {% for hidden in hide %}
        when length(held) >= {{ hidden | number }} and substr(held, length(held) - {{ hidden | number }} + 1) = repeat(chr({{ char | number }}), {{ hidden | number }}) then 1
        {% endfor %}
        {% if sets %}
        when substr(held, 1, 1) = '{' and substr(held, length(held), 1) = '}' then 1
        {% endif %}
        {% if labels %}
        when listed.label is not null then 1
        {% endif %}
        else 0
    end), 0) as labels
from (
    select {{ column | exact }} as held
    from {{ table | name }}
) as present
{% if labels %}
left join {{ labels | name }} as listed on listed.label = present.held
{% endif %}
