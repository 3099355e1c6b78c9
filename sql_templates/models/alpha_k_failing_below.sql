{#- No part has a larger share than 1, and the mean of all parts is not below that of the class; reads value_rows -#}
({% include m.model.measure %} - {% include "judge/limit.sql" %} - 0.000000000001) / greatest(1 - {% include "judge/limit.sql" %}, 0.000001)
