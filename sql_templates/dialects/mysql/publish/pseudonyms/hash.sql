{# Uses MariaDB's functions. Same inputs and output as the common template. #}
select
    identifiers.value,
    sha2(concat(pads.outer_pad, unhex(sha2(concat(pads.inner_pad, cast(cast(identifiers.value as char character set utf8mb4) as binary)), 256))), 256) as pseudonym
from {{ identifiers | name }} as identifiers
cross join {{ key | name }} as pads
