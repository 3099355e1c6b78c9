{# Keeps writers and other runs out, lets readers in; inputs: table #}
lock table {{ table | name }} in share row exclusive mode
