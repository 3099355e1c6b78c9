{# Every leaf with its part of the class key (code × stride) at each level; leaves are numbered in the order of their list or of their values; inputs: labelled, height, stride, by_list (whether the list decides); output: that of parts #}
with numbered as (
    select
        {% include "count/hierarchy_table/leaf.sql" %}
        row_number() over (order by {% if by_list %}listed, {% endif %}value) as code_0
    from {{ labelled | name }}
    where value is not null
),
coded as (
    select
        {% include "count/hierarchy_table/leaf.sql" %}
        {% for level in range(1, height) %}
        first_value(code_0) over (partition by {{ "label" | numbered(level) }} order by code_0) as {{ "first" | numbered(level) }},
        {% endfor %}
        code_0
    from numbered
)
{% include "count/hierarchy_table/parts.sql" %}
