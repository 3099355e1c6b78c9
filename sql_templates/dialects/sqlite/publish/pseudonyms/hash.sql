{# SQLite has no hashes; the function is our own, in this process. Text goes there as bytes, because it need not be UTF-8. Same inputs and output as the common template. #}
select
    identifiers.value,
    kanon_hmac(
        pads.inner_pad,
        pads.outer_pad,
        case when typeof(identifiers.value) = 'text' then cast(identifiers.value as blob) else identifiers.value end,
        case when typeof(identifiers.value) = 'text' then stored.encoding end
    ) as pseudonym
from {{ identifiers | name }} as identifiers
cross join {{ key | name }} as pads
cross join pragma_encoding as stored
