{#- A class breaks a model of its values; inputs: m (number, model); reads measure_1 …; what is within 1e-12 of a limit equals it -#}
{{ "measure" | numbered(m.number) }}
{% if m.model.bound == "at_least" %}
<
{% elif m.model.bound == "at_most" %}
>
{% else %}
>=
{% endif %}
{% include "judge/limit.sql" %}
{% if m.model.bound == "at_most" %}
+ 0.000000000001
{% else %}
- 0.000000000001
{% endif %}
