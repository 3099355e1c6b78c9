{# As sample, but the database draws the rows from all pages, the same ones every time, because numbering all rows is slow; inputs and output: as there #}
{% extends "profile/dependencies/sample.sql" %}
{% block sampled %}
select
    {% include "profile/dependencies/sampled_columns.sql" %}
    0 as row_position
from {{ source | name }} as source_row
tablesample bernoulli (100.0 / {{ step | number }}) repeatable (42)
limit {{ rows | number }}
{% endblock %}
