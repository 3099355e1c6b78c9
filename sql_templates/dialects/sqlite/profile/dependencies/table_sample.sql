{# As sample, but rows are chosen by the number that the table has for each, because numbering all rows is slow; inputs and output: as there #}
{% extends "profile/dependencies/sample.sql" %}
{% block sampled %}
select
    {% include "profile/dependencies/sampled_columns.sql" %}
    _rowid_ as row_position
from {{ source | name }} as source_row
where _rowid_ % {{ step | number }} = 0
limit {{ rows | number }}
{% endblock %}
