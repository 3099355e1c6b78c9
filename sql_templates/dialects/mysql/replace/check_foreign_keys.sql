{# Checks foreign keys again #}
set session foreign_key_checks = 1
