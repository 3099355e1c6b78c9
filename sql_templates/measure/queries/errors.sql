{# Relative differences of a query between source and release; inputs: keys, measures (their numbers); reads source_result, release_result (key_1 …, measure_1 …); output: groups, missing, added, undefined, mean_error, max_error #}
with results as (
    select
        {% for key in range(1, keys + 1) %}
        {{ "key" | numbered(key) }},
        {% endfor %}
        {% for measure in range(1, measures + 1) %}
        {{ "measure" | numbered(measure) }} as {{ "before" | numbered(measure) }},
        cast(null as double) as {{ "after" | numbered(measure) }},
        {% endfor %}
        1 as in_source,
        0 as in_release
    from source_result
    union all
    select
        {% for key in range(1, keys + 1) %}
        {{ "key" | numbered(key) }},
        {% endfor %}
        {% for measure in range(1, measures + 1) %}
        cast(null as double) as {{ "before" | numbered(measure) }},
        {{ "measure" | numbered(measure) }} as {{ "after" | numbered(measure) }},
        {% endfor %}
        0 as in_source,
        1 as in_release
    from release_result
),
matched as (
    select
        {% for measure in range(1, measures + 1) %}
        max({{ "before" | numbered(measure) }}) as {{ "before" | numbered(measure) }},
        max({{ "after" | numbered(measure) }}) as {{ "after" | numbered(measure) }},
        {% endfor %}
        max(in_source) as in_source,
        max(in_release) as in_release
    from results
    {% if keys %}
    group by
        {% for key in range(1, keys + 1) %}
        {{ "key" | numbered(key) }}{{ "," if not loop.last }}
        {% endfor %}
    {% endif %}
),
compared as (
    {% for measure in range(1, measures + 1) %}
    select
        {{ measure | number }} as measure,
        in_source,
        in_release,
        case
            when in_source = 0 then null
            when in_release = 0 then 1.0
            when {{ "before" | numbered(measure) }} is null and {{ "after" | numbered(measure) }} is null then 0.0
            when {{ "before" | numbered(measure) }} = {{ "after" | numbered(measure) }} then 0.0
            when {{ "before" | numbered(measure) }} <> 0 then abs({{ "after" | numbered(measure) }} - {{ "before" | numbered(measure) }}) / abs({{ "before" | numbered(measure) }})
        end as relative_error
    from matched
    {{ "union all" if not loop.last }}
    {% endfor %}
)
select
    coalesce(sum(case when measure = 1 then in_source else 0 end), 0) as groups_before,
    coalesce(sum(case when measure = 1 then in_source * (1 - in_release) else 0 end), 0) as missing,
    coalesce(sum(case when measure = 1 then in_release * (1 - in_source) else 0 end), 0) as added,
    coalesce(sum(case when in_source = 1 and relative_error is null then 1 else 0 end), 0) as undefined,
    avg(relative_error) as mean_error,
    max(relative_error) as max_error
from compared
