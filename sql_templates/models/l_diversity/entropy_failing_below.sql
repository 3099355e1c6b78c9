{#- No part has less entropy than 0, and the mean of all parts has no more than the class; reads value_rows -#}
1 - ({% include m.model.measure %} + 0.000000000001) / greatest({% include "judge/limit.sql" %}, 0.000001)
