{#- The largest relative gain, infinite if one is above -ln q, which no β allows; reads value_rows, size, share -#}
case
    when max((cast(value_rows as double) / size - share) / share + ln(share)) > 0.000000000001 then cast(1e300 as double)
    else {% include "models/beta_likeness/basic.sql" %}
end
