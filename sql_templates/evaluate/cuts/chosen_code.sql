{#- The code of a combination along the dimension chosen for its region; inputs: dimensions, choice; reads combination, chosen -#}
case
    {% for d in dimensions %}
    when chosen.{{ "choice" | numbered(choice) }} = {{ d.number | number }} then combination.{{ "code" | numbered(d.number) }}
    {% endfor %}
end
