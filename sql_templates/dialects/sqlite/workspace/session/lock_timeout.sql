{# Sets how long this session waits for the lock of the database; inputs: milliseconds #}
pragma busy_timeout = {{ milliseconds | number }}
