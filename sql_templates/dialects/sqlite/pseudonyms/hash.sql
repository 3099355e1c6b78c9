{# SQLite has no hashes; the function is our own, in this process. Same inputs and output as the common template. #}
select
    identifiers.value,
    kanon_hmac(pads.inner_pad, pads.outer_pad, identifiers.value) as pseudonym
from {{ identifiers | name }} as identifiers
cross join {{ key | name }} as pads
