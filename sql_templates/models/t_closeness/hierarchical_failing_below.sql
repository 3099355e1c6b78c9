{#- No part is further off than 1, and the mean of all parts is as far off as the class; reads level, surplus, balance -#}
({% include m.model.measure %} - {% include "judge/limit.sql" %} - 0.000000000001) / greatest(1 - {% include "judge/limit.sql" %}, 0.000001)
