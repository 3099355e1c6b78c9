{# The rows of each class's most frequent label; inputs: regions, region_classes; output: class, majority #}
select
    class,
    max(label_rows) as majority
from (
    select
        region_classes.class,
        regions.label_code,
        sum(regions.row_count) as label_rows
    from {{ regions | name }} as regions
    join {{ region_classes | name }} as region_classes on region_classes.region = regions.region
    group by region_classes.class, regions.label_code
) as labelled
group by class
