{#- The highest chance to name the person behind a row, who is one of the population; inputs: population_size (the class's rows there) -#}
cast(1 as double) / min({{ population_size | name }})
