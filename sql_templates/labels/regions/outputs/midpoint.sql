{#- Part of ranges: halfway between the ends of a range; inputs: cuts; reads cells, first_end, last_end, below_end; output: published_value -#}
{% if cuts %}
(case when cells.below = 0 or cells.first_code = cells.last_code then first_end.position else below_end.position end + last_end.position) / 2.0 as published_value,
{% else %}
(first_end.position + last_end.position) / 2.0 as published_value,
{% endif %}
