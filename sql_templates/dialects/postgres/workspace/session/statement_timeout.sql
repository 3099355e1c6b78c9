{# Sets how long a statement of this session may take; inputs: milliseconds #}
set statement_timeout = {{ milliseconds | number }}
