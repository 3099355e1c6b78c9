{#- Part of chosen_cuts: a combination's code along the dimension chosen for its region; inputs: dimensions, place; reads placed, chosen -#}
case
    {% for d in dimensions %}
    when chosen.{{ "choice" | numbered(place) }} = {{ d.number | number }} then placed.{{ "code" | numbered(d.number) }}
    {% endfor %}
end
