{#- In the class's own direction no part is further off than its reach, and the mean of all parts is as far off as the class; reads what measure and reach do -#}
case
    when {% include "models/t_closeness/ordered_reach.sql" %} - {% include "judge/limit.sql" %} > 0.000001
    then ({% include m.model.measure %} - {% include "judge/limit.sql" %} - 0.000000000001)
        / ({% include "models/t_closeness/ordered_reach.sql" %} - {% include "judge/limit.sql" %})
    else 0.0
end
