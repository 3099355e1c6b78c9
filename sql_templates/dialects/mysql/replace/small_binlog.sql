{# Keeps whole rows out of the binary log, where this user may say so #}
set session binlog_row_image = 'MINIMAL'
