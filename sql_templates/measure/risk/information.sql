{# What the classes of some columns disclose about a target column; inputs: counts (combinations with the target), columns and target (names in counts), metrics (name, template); output: one column per metric, and the classes and rows with the highest risk #}
with counted as (
    select
        {{ columns | names }},
        {{ target | name }} as target,
        cast(sum(row_count) as double) as row_count
    from {{ counts | name }}
    group by {{ columns | names }}, {{ target | name }}
),
sized as (
    select
        {{ columns | names }},
        row_count,
        sum(row_count) over (partition by {{ columns | names }}) as class_size
    from counted
),
measured as (
    select
        max(class_size) as class_size,
        sum(case when row_count < class_size then row_count / class_size * ln(class_size / row_count) else 0.0 end) / ln(2.0) as entropy
    from sized
    group by {{ columns | names }}
),
domain as (
    select
        max(total) as total,
        sum(case when row_count < total then row_count / total * ln(total / row_count) else 0.0 end) / ln(2.0) as whole_entropy
    from (
        select
            row_count,
            sum(row_count) over () as total
        from (
            select sum(row_count) as row_count
            from counted
            group by target
        ) as target_values
    ) as shares
),
class_entropies as (
    select
        measured.class_size,
        measured.entropy,
        domain.total,
        domain.whole_entropy,
        count(*) over () as classes,
        min(measured.class_size * measured.entropy) over () as lowest
    from measured
    cross join domain
)
select
    {% for metric in metrics %}
    {% include metric.template %} as {{ metric.name | name }},
    {% endfor %}
    coalesce(sum(case when class_size * entropy - lowest <= 1e-9 * greatest(1.0, lowest) then 1 else 0 end), 0) as riskiest_classes,
    coalesce(sum(case when class_size * entropy - lowest <= 1e-9 * greatest(1.0, lowest) then class_size else 0 end), 0) as riskiest_rows
from class_entropies
