{#- In the direction of the class no part has a distance above its reach, and the mean of all parts has the distance of the class; reads the columns of ordered and ordered_reach -#}
case
    when {% include "models/t_closeness/ordered_reach.sql" %} - {% include "judge/limit.sql" %} > 0.000001
    then ({% include m.model.measure %} - {% include "judge/limit.sql" %} - 0.000000000001)
        / ({% include "models/t_closeness/ordered_reach.sql" %} - {% include "judge/limit.sql" %})
    else 0.0
end
