{# Sets how long this session waits for a lock; inputs: milliseconds #}
set lock_timeout = {{ milliseconds | number }}
