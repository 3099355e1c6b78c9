{#- The share of rows that can be expected to be named rightly if all are named; inputs: population_size (the class's rows there); reads class_size -#}
sum(cast(class_size as double) / {{ population_size | name }}) / sum(class_size)
