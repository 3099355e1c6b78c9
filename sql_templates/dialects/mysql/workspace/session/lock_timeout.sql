{# Sets how long this session waits for the lock of a table or row, in whole seconds; inputs: milliseconds #}
set session
    lock_wait_timeout = ({{ milliseconds | number }} + 999) div 1000,
    innodb_lock_wait_timeout = ({{ milliseconds | number }} + 999) div 1000
