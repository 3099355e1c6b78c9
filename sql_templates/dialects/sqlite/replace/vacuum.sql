{# Writes the whole database anew, without free pages #}
vacuum
