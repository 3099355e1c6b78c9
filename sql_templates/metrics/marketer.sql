{#- The share of rows that an attacker who names all of them is expected to name correctly; inputs: population_size (the class's rows in the population); reads class_size -#}
sum(cast(class_size as double) / {{ population_size | name }}) / sum(class_size)
