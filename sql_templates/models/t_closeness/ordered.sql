{#- The sum of |P - Q| over all ranks (below a class's first value P is 0) by the number of steps; inputs: group.values.distinct; reads upto, size, before, passed.cumulated -#}
(sum(abs(cast(present.upto as double) / present.size - passed.cumulated)) + min(present.before)) / {{ [group.values.distinct - 1, 1] | max | number }}
