{# How long statements wait for locks and run; output: both in milliseconds, 0 without end #}
select
    @@session.lock_wait_timeout * 1000 as lock_timeout,
    @@session.max_statement_time * 1000 as statement_timeout
