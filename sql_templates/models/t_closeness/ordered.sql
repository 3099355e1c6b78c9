{#- The sum of |P - Q| over all ranks (below the first value of a class, P is 0) divided by the number of steps; inputs: j.values.distinct; reads upto, size, before, passed.cumulated -#}
(sum(abs(cast(present.upto as double) / present.size - passed.cumulated)) + min(present.before)) / {{ [group.values.distinct - 1, 1] | max | number }}
