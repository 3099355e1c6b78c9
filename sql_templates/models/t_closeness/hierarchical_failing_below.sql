{#- No part has a distance above 1, and the mean of all parts has the distance of the class; reads level, surplus, balance -#}
({% include m.model.measure %} - {% include "judge/limit.sql" %} - 0.000000000001) / greatest(1 - {% include "judge/limit.sql" %}, 0.000001)
