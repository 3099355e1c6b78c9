{# Renames tables all at once, so that readers never miss one; inputs: pairs (table, to) #}
rename table
    {% for table, to in pairs %}
    {{ table | name }} to {{ to | name }}{{ "," if not loop.last }}
    {% endfor %}
