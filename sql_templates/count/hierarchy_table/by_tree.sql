{# Every leaf with its part of the class key (code × stride) at each level; leaves are numbered in the order of their tree, so leaves under one label have consecutive codes; inputs: labelled, height, stride; output: that of parts #}
with numbered as (
    select
        {% include "count/hierarchy_table/leaf.sql" %}
        row_number() over (order by listed, value) as list_code
    from {{ labelled | name }}
    where value is not null
),
in_list_order as (
    select
        {% include "count/hierarchy_table/leaf.sql" %}
        {% for level in range(1, height) %}
        first_value(list_code) over (partition by {{ "label" | numbered(level) }} order by list_code) as {{ "first" | numbered(level) }},
        {% endfor %}
        list_code
    from numbered
),
coded as (
    select
        {% include "count/hierarchy_table/leaf.sql" %}
        {% for level in range(1, height) %}
        {{ "first" | numbered(level) }},
        {% endfor %}
        row_number() over (
            order by
                {% for level in range(height - 1, 0, -1) %}
                {{ "first" | numbered(level) }},
                {% endfor %}
                list_code
        ) as code_0
    from in_list_order
)
{% include "count/hierarchy_table/parts.sql" %}
