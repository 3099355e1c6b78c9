{#- The code of the sensitive value of a combination; inputs: v; reads combination, codes_1 … -#}
case
    when combination.{{ v.q.value | name }} is null then 0
    else {{ "codes" | numbered(v.number) }}.code
end
