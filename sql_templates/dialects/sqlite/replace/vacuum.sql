{# Rewrites the whole database without free pages #}
vacuum
