{# Takes the right to read a table from a role again; inputs: table, everyone (or), role (its parts: user, host) #}
revoke select on {{ table | name }} from
    {% if everyone %}
    public
    {% else %}
    {{ role | names("@") }}
    {% endif %}
