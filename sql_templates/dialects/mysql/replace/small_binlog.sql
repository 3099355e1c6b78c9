{# Keeps whole rows out of the binary log, if this user has the right #}
set session binlog_row_image = 'MINIMAL'
