{#- Part of ranges: the first and the last value of a range; inputs: cuts; reads cells, first_end, last_end, below_end; output: low, high -#}
{% if cuts %}
case when cells.below = 0 or cells.first_code = cells.last_code then first_end.value else below_end.value end as low,
{% else %}
first_end.value as low,
{% endif %}
last_end.value as high,
