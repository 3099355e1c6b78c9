{# Drops temporary tables without committing; inputs: tables #}
drop temporary table if exists
    {% for table in tables %}
    {{ table | name }}{{ "," if not loop.last }}
    {% endfor %}
