{# Uses PostgreSQL's functions. Same inputs and output as the common template. #}
select
    identifiers.value,
    encode(sha256(pads.outer_pad || sha256(pads.inner_pad || convert_to(cast(identifiers.value as text), 'UTF8'))), 'hex') as pseudonym
from {{ identifiers | name }} as identifiers
cross join {{ key | name }} as pads
