{# made-up hospital patients, each row a pure function of seed and row number; inputs: rows, seed; output columns: patient_id, name, email, birth_date, zip, sex, marital_status, education, country, ward, diagnosis, cost #}
with keys as (
    select
        i,
        hash(i, ({{ seed | number }})::bigint) >> 1 as h -- the top bit is free, so h + n cannot overflow
    from generate_series(1, {{ rows | number }}) as r(i)
),
-- uniforms in [0, 1); not from hash(i, seed, n): for two values of n that differs only by a constant xor
uniforms as (
    select
        i,
        (hash(h + 1) >> 32) / 4294967296.0 as u_age,
        (hash(h + 2) >> 32) / 4294967296.0 as u_area,
        (hash(h + 3) >> 32) / 4294967296.0 as u_zip,
        (hash(h + 4) >> 32) / 4294967296.0 as u_sex,
        (hash(h + 5) >> 32) / 4294967296.0 as u_single,
        (hash(h + 6) >> 32) / 4294967296.0 as u_marital,
        (hash(h + 7) >> 32) / 4294967296.0 as u_education,
        (hash(h + 8) >> 32) / 4294967296.0 as u_abroad,
        (hash(h + 9) >> 32) / 4294967296.0 as u_country,
        (hash(h + 10) >> 32) / 4294967296.0 as u_first,
        (hash(h + 11) >> 32) / 4294967296.0 as u_last,
        (hash(h + 12) >> 32) / 4294967296.0 as u_code,
        (hash(h + 13) >> 32) / 4294967296.0 as u_ward,
        (hash(h + 14) >> 32) / 4294967296.0 as u_cost,
        (hash(h + 15) >> 32) / 4294967296.0 as u_angle,
        (hash(h + 16) >> 32) / 4294967296.0 as u_gap -- which value is missing, if any
    from keys
),
people as (
    select
        *,
        case
            when u_age < 0.17 then u_age / 0.17 * 18
            when u_age < 0.40 then 18 + (u_age - 0.17) / 0.23 * 22
            when u_age < 0.68 then 40 + (u_age - 0.40) / 0.28 * 22
            when u_age < 0.92 then 62 + (u_age - 0.68) / 0.24 * 21
            else 103 - 20 * sqrt((1 - u_age) / 0.08)
        end as age,
        -- 50 areas, fewer patients the farther; one patient in a hundred from 4 distant cities
        case
            when u_area < 0.01 then [100, 331, 606, 902][1 + floor(400 * u_area)::int]
            else 10 + (11 + floor(50 * u_area * u_area * u_area)::int) % 50
        end * 100 + 1 + floor(99 * u_zip * u_zip)::int as zip_number,
        u_sex < 0.49 + 0.0012 * age as female,
        (hash(zip_number) >> 32) / 4294967296.0 as affluence,
        u_education + 0.3 * affluence - 0.15 - 0.004 * greatest(age - 60, 0) as schooling,
        1 + floor(18 * u_first * u_first)::int as nth,
        1 + floor(13 * u_code * u_code)::int as pick
    from uniforms
),
cases as (
    select
        *,
        case
            when female then split('Mary Linda Susan Maria Karen Emma Sarah Laura Anna Julia Alice Grace Sofia '
                || 'Ruth Diana Fatima Mei Priya', ' ')[nth]
            else split('James John Robert Michael David Jose Daniel Noah Liam Mark Paul Kevin George '
                || 'Peter Oscar Ahmed Wei Arjun', ' ')[nth]
        end as first_name,
        split('Smith Johnson Williams Brown Jones Garcia Miller Davis Martinez Lopez Wilson Anderson Taylor Moore '
            || 'Martin Lee Perez White Harris Clark Lewis Walker Young Allen King Wright Scott Nguyen Hill Green '
            || 'Adams Patel Kim Chen Murphy Rossi Novak Silva Haddad Okafor', ' '
        )[1 + floor(40 * u_last * u_last)::int] as last_name,
        case
            when u_code < 0.002
                then split('B20 D57.1 M32.9 A15.0 G35 C71.9 E84.0 G12.2', ' ')[1 + floor(4000 * u_code)::int]
            when age < 18
                then split('J06.9 J45.9 H66.9 A09 S52.5 J20.9 K35.8 L20.9 R50.9 J03.9 F90.9 G40.9 E10.9', ' ')[pick]
            when age < 45 and female
                then split('O80 F41.1 O82 N39.0 G43.9 K80.2 F32.9 J45.9 O24.4 D50.9 K35.8 M54.5 E03.9', ' ')[pick]
            when age < 45
                then split('S82.8 M54.5 F10.1 K35.8 S06.0 F32.9 K40.9 N20.0 F41.1 J45.9 S52.5 G43.9 F20.9', ' ')[pick]
            when age < 65
                then split('I10 E11.9 M54.5 K80.2 F32.9 I21.9 C61 J44.9 K21.9 M17.9 N20.0 C18.9 C34.9', ' ')[pick]
            else split('I10 I50.9 E11.9 J44.9 S72.0 I48.9 J18.9 M17.9 I63.9 N18.9 C61 G30.9 C34.9', ' ')[pick]
        end as code,
        left(code, 1) as chapter
    from people
)
select
    i as patient_id,
    first_name || ' ' || last_name as name,
    lower(first_name || '.' || last_name) || '.' || i || '@example.org' as email,
    date '2025-12-31' - floor(age * 365.25)::int as birth_date,
    lpad(zip_number::text, 5, '0') as zip,
    case when u_gap < 0.003 then null when female then 'F' else 'M' end as sex,
    case
        when age < 18 or u_single < greatest(0.08, 1.7 - age / 25) then 'Never married'
        when u_marital < greatest(0.01, (age - 55) / if(female, 55, 90)) then 'Widowed'
        when u_marital < 0.84 then 'Married'
        when u_marital < 0.97 then 'Divorced'
        else 'Separated'
    end as marital_status,
    case
        when u_gap between 0.1 and 0.11 then null
        when age < 6 then 'No schooling'
        when schooling < 0.02 or age < 11 then 'Elementary school'
        when schooling < 0.06 or age < 14 then 'Middle school'
        when schooling < 0.13 or age < 18 then 'Some high school'
        when schooling < 0.42 then 'High school diploma'
        when schooling < 0.60 or age < 21 then 'Some college'
        when schooling < 0.70 then 'Associate degree'
        when schooling < 0.88 or age < 25 then 'Bachelor degree'
        when schooling < 0.98 or age < 28 then 'Master degree'
        when schooling < 1.03 then 'Professional degree'
        else 'Doctorate'
    end as education,
    case
        when u_gap between 0.2 and 0.215 then null
        when u_abroad < 0.78 + 0.14 * affluence then 'United States'
        else split('Mexico,India,China,Philippines,Dominican Republic,Cuba,Vietnam,El Salvador,Guatemala,South Korea,'
            || 'Brazil,Colombia,Haiti,Honduras,Jamaica,Canada,United Kingdom,Germany,Nigeria,Poland,Ukraine,Peru,'
            || 'Ecuador,Pakistan,Iran,Italy,Japan,Ethiopia,Ghana,Portugal,France,Egypt,Thailand,Greece,Ireland,'
            || 'Kenya,Australia', ','
        )[1 + floor(37 * u_country * u_country * u_country)::int]
    end as country,
    case
        when age < 16 then 'Pediatrics'
        when u_ward < 0.12 then 'Emergency'
        else coalesce(map {
            'C': 'Oncology', 'F': 'Psychiatry', 'G': 'Neurology', 'I': 'Cardiology', 'J': 'Pulmonology',
            'K': 'Surgery', 'M': 'Orthopedics', 'O': 'Maternity', 'S': 'Orthopedics'
        }[chapter], 'Internal medicine')
    end as ward,
    case when code = 'C61' and female then 'C50.9' else code end as diagnosis,
    case
        when u_gap between 0.3 and 0.305 then null
        else exp(
            case when chapter = 'C' then 9.4 when chapter in ('I', 'K', 'O', 'S') then 8.6 else 7.4 end
            + (hash(code) >> 32) / 4294967296.0
            + 0.006 * age
            + 0.6 * sqrt(-2 * ln(1 - u_cost)) * cos(2 * pi() * u_angle)
        )
    end::decimal(10, 2) as cost
from cases
