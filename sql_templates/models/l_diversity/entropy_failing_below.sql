{#- No part has an entropy below 0, and the mean of all parts is not above that of the class; reads value_rows -#}
1 - ({% include m.model.measure %} + 0.000000000001) / greatest({% include "judge/limit.sql" %}, 0.000001)
