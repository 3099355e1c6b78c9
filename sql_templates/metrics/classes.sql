{#- Published classes; inputs: suppressed (the column that marks suppressed classes) -#}
coalesce(sum(1 - {{ suppressed | name }}), 0)
