{# A variable of the session with one map per column, from its values to parts of the class key; inputs: name, parts (coded, level); output: map_1 … #}
set variable {{ name | name }} = {
    {% for p in parts %}
    {{ "map" | numbered(p.coded.number) }}: (
        select map(list(value), list({{ "part" | numbered(p.level) }}))
        from {{ p.coded.hierarchy_table | name }}
        where value is not null
    ){{ "," if not loop.last }}
    {% endfor %}
}
