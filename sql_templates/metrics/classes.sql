{#- Published classes; inputs: suppressed (the column that says so) -#}
coalesce(sum(1 - {{ suppressed | name }}), 0)
