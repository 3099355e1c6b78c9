{#- The highest probability of naming the person behind a row, who is one of the population; inputs: population_size (the class's rows in the population) -#}
cast(1 as double) / min({{ population_size | name }})
