{#- How far off a class can be in the direction that this one is off at each rank; inputs: group.values.distinct; reads upto, size, before, passed.cumulated -#}
(sum(case
    when cast(present.upto as double) / present.size > passed.cumulated then 1 - passed.cumulated
    else passed.cumulated
end) + min(present.before)) / {{ [group.values.distinct - 1, 1] | max | number }}
