{# SQLite has no hash functions, so this process provides one. Text is passed as bytes, because it may not be UTF-8. Same inputs and output as the common template. #}
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
