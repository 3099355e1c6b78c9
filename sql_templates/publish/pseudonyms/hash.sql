{# The HMAC-SHA-256 of every value of an identifier, in hexadecimal; inputs: identifiers, key (inner_pad, outer_pad); output: value, pseudonym #}
select
    identifiers.value,
    sha256(pads.outer_pad || unhex(sha256(pads.inner_pad || encode(cast(identifiers.value as varchar))))) as pseudonym
from {{ identifiers | name }} as identifiers
cross join {{ key | name }} as pads
