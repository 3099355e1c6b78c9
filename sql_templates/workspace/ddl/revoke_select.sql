{# Revokes the permission to read a table from a role; inputs: table, everyone (or), role (its parts: user, host) #}
revoke select on {{ table | name }} from
    {% if everyone %}
    public
    {% else %}
    {{ role | names("@") }}
    {% endif %}
