{# Which axes are drawn logarithmically; inputs: frame; output: x_bent, y_bent #}
select
    x_bent,
    y_bent
from {{ frame | name }}
