{# Foreign keys hold again #}
set session foreign_key_checks = 1
