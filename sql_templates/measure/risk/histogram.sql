{# Number of classes and rows by class size; inputs: classes, buckets (the smallest size of each, ascending); output: bucket (its smallest size), classes, row_count #}
select
    bucket,
    count(*) as classes,
    sum(class_size) as row_count
from (
    select
        class_size,
        case
            {% for smallest in buckets | reverse %}
            when class_size >= {{ smallest | number }} then {{ smallest | number }}
            {% endfor %}
        end as bucket
    from {{ classes | name }}
) as sized
group by bucket
order by bucket
