{#- The largest distance that a class can have in the direction of this one at each rank; inputs: j.values.distinct; reads upto, size, before, passed.cumulated -#}
(sum(case
    when cast(present.upto as double) / present.size > passed.cumulated then 1 - passed.cumulated
    else passed.cumulated
end) + min(present.before)) / {{ [group.values.distinct - 1, 1] | max | number }}
