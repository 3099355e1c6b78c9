{# Lets rows that children point to go; foreign keys to the table were named before #}
set session foreign_key_checks = 0
