{#- Values that are too rare (a share q of the table, p of the class) reach q - t in at most p / (q - t) of the rows, so the rest fails; reads value_rows, size, share -#}
case
    when 1 - sum(case when cast(value_rows as double) / size >= share then share else 0.0 end) - {% include "judge/limit.sql" %} > 0.000001
    then ({% include m.model.measure %} - {% include "judge/limit.sql" %} - 0.000000000001)
        / (1 - sum(case when cast(value_rows as double) / size >= share then share else 0.0 end) - {% include "judge/limit.sql" %})
    else 0.0
end
