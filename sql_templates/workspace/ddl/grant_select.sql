{# Lets a role read a table; inputs: table, everyone (or), role (its parts: user, host) #}
grant select on {{ table | name }} to
    {% if everyone %}
    public
    {% else %}
    {{ role | names("@") }}
    {% endif %}
