{# Sets how long a statement of this session may take; inputs: milliseconds #}
set session max_statement_time = {{ milliseconds | number }} / 1000
