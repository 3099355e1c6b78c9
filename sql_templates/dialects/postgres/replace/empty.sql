{# Removes all rows and, at commit, the file that held them; inputs: table #}
truncate table {{ table | name }}
