"""Queries that only read are accepted unchanged and return on every engine what the database returns."""

from __future__ import annotations

import pytest
from support.databases import ENGINES, Database, Row

import kanon_sql as ks
from kanon_sql.backends import connect
from kanon_sql.stages.profile.source import describe_source
from kanon_sql.stages.profile.source_queries import describe_query, filter_table
from kanon_sql.tables import SourceQuery, TableDescription, TableName
from kanon_sql.workspace import Workspace

EVERYWHERE = (
    "select id, age, name from people",
    "select p.id, v.ward from people as p join visits as v on v.person = p.id where v.ward <> 'x;y' -- why\n;",
    "with grown as (select * from people where age >= 18), wards (ward, n) as (select ward, count(*) from visits group by ward) "
    "select g.id, w.n from grown as g cross join wards as w",
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < 5) select i from n",
    "select id, row_number() over (partition by name order by id) as place, sum(age) over (order by id rows 2 preceding) as s from people",
    "select name, count(*) as n, avg(age) as a, min(born) as first_born from people group by name having count(*) > 0 order by n limit 3",
    "select id, case when age > 50 then 'old' when age between 18 and 50 then 'grown' else 'young' end as band from people",
    "select coalesce(nullif(name, ''), '?') as name, upper(lower(trim(name))) as loud, replace(name, 'a', 'b') as other from people",
    "select id from people where id in (select person from visits) and exists (select 1 from visits as v where v.person = people.id)",
    "select id from people union select person from visits",
    "select cast(age as char(5)) as age, round(age / 7.0, 2) as sevenths, abs(-age) as a from people",
    "select id, (select max(v.person) from visits as v where v.person = p.id) as m from people as p",
    "select id /* a comment, sleep(5) */ from people where name like 'a%' or name is not null",
    "select x.a from (select id as a from people) as x",
)

QUERIES = {
    "postgresql": (
        "select id, count(*) filter (where age > 3) as n from people group by grouping sets ((id), ())",
        "select name, age, count(*) as n from people group by rollup (name, age)",
        "select p.id, l.ward from people as p left join lateral (select ward from visits where person = p.id limit 1) as l on true",
        "select note->>'town' as town, note#>>'{a,b}' as b, note @> '{}' as c, note ? 'town' as has from people",
        "select jsonb_array_elements_text('[1,2]'::jsonb) as e, jsonb_build_object('a', id) as o from people",
        "select e.key, e.value from people as p, jsonb_each_text(p.note) as e",
        "select j.a, j.b from json_to_recordset('[{\"a\": 1, \"b\": \"x\"}]') as j(a int, b text)",
        "select regexp_replace(name, '[aeiou]', '*', 'g') as r, name ~* '^a' as m, substring(name from 1 for 2) as s from people",
        "select born + interval '1 day' as next, date_trunc('month', born) as month, extract(year from age(born)) as years from people",
        "select born at time zone 'UTC' as u, to_char(born, 'YYYY-MM') as t, date_part('dow', born) as d from people",
        "select $$it's$$ as a, E'it\\'s' as b, $tag$ $$ $tag$ as c, 'a\\b' as d, x'ff' as e",
        "select array_agg(id order by id) as ids, string_agg(name, ', ' order by name) as names, array[1, 2] || 3 as more from people",
        "select id, u.n from people, unnest(array[1, 2]) with ordinality as u(v, n)",
        "select percentile_cont(0.5) within group (order by age) as median, mode() within group (order by name) as mode from people",
        "select age::numeric(10, 2) as a, id::text as t, '2020-01-01'::date as d, cast(age as double precision) as f from people",
        "select distinct on (name) name, age from people order by name, age desc",
        "select id from people where born > current_date - 36500 and now() > born and current_timestamp is not null",
        "select v.a, v.b from (values (1, 'x'), (2, 'y')) v(a, b)",
        'select "id", "name" as "Na me" from "people"',
        "select pg_catalog.lower(name) as n, greatest(age, 3) as g, width_bucket(age, 0, 100, 10) as w from people",
        "select lag(age, 1) over w as l, ntile(4) over w as q from people window w as (order by id)",
        "select id from people tablesample bernoulli (50) repeatable (7)",
        "select overlay(name placing 'xx' from 1 for 1) as o, position('a' in name) as p, md5(name) as h from people",
        "select generate_series(1, 3) as g",
        "select to_tsvector('simple', name) @@ plainto_tsquery('simple', 'ann') as hit, name collate \"C\" as c from people",
        "select (row(id, name)).f1 as f, id is distinct from 3 as d, id = any (array[1, 2]) as i from people",
        "select id from people order by id offset 1 fetch first 2 rows only",
        "select int8range(1, age + 2) @> 3::bigint as r, mood, mood = 'calm' as c from people",
    ),
    "duckdb": (
        "from people",
        "from people select id, age where age > 3",
        "select * exclude (note) replace (age + 1 as age) from people",
        "select columns('a.*|id') from people",
        "select * rename (age as years) from people",
        "select name, median(age) as m, quantile_cont(age, 0.9) as q, arg_max(name, age) as oldest from people group by all",
        "select id, list_filter([1, 2, 3], lambda x: x > 1) as l, list_transform([1, 2], lambda x: x * 2) as t from people",
        "select name.upper() as u, name.split(',') as parts from people",
        "select {'a': id, 'b': {'c': name}} as s, [id, age] as l, map {'k': id} as m from people",
        "select struct_pack(a := id, b := name) as s from people",
        "select json_extract_string(note, '$.town') as town, note->>'$.town' as again from people",
        "select regexp_extract(name, '(a)(.*)', 2) as r, regexp_replace(name, '[aeiou]', '*', 'g') as s, name ~ 'A.*' as m from people",
        "select date_trunc('month', born) as m, born + interval 1 day as n, date_diff('year', born, current_date) as y from people",
        "select strftime(born, '%Y-%m') as t, extract(year from born) as y, make_date(2020, 1, 1) as d, today() as now_ish from people",
        "select id::varchar as t, try_cast(name as integer) as i, cast(age as decimal(10, 2)) as d from people",
        "select name, count(*) filter (where age > 3) as n, string_agg(name, ',' order by id) as s from people group by cube (name)",
        "select id, row_number() over (order by id) as r from people qualify r = 1",
        "select p.id, l.w from people as p, lateral (select max(v.ward) as w from visits as v where v.person = p.id) as l",
        "select unnest([1, 2, 3]) as u, generate_series as g from generate_series(1, 3)",
        "select range as r from range(5)",
        "select * from read_csv('{folder}/towns.csv', header = true)",
        "select * from '{folder}/towns.csv'",
        "select $$it's$$ as a, E'it\\'s' as b, 'a\\b' as c, 1_000 as d",
        "select id, age // 3 as d, age ** 2 as p, age % 3 as m from people",
        "select ward, count(*) as n from visits group by 1 order by all",
        "select p.id from people as p asof join visits as v on p.id >= v.person",
        "select id from people where name in ('Ann', 'Bob') and name ilike 'a%' and name similar to 'A.*'",
        "select person, count(*) as n from visits group by person having bool_or(ward = 'north')",
        "select ward, first_value(person) over (partition by ward order by person) as f from visits",
        "select hash(name) as h, md5(name) as m, levenshtein(name, 'x') as l, strip_accents(name) as s from people",
    ),
    "sqlite": (
        "select id, json_extract(note, '$.town') as town, note->>'$.town' as again from people",
        "select p.id, e.value from people as p, json_each(p.note) as e",
        "select [id], `age`, \"name\" from people",
        "select date(born, '+1 day') as d, strftime('%Y', born) as y, julianday(born) as j, date('now') > born as past from people",
        "select id, iif(age > 18, 'grown', 'young') as band, printf('%05d', id) as padded, hex(name) as h from people",
        "select name, count(*) filter (where age > 3) as n, group_concat(ward, ',') as w from people, visits group by name",
        "select substr(name, 1, 2) as s, instr(name, 'a') as i, length(name) as l, name glob 'A*' as g, name || '!' as c from people",
        "select id, lag(age) over w as l, ntile(4) over w as q from people window w as (order by id)",
        "select typeof(age) as t, quote(name) as q, x'ff' as b, ifnull(name, '') as n from people",
        "select total(age) as t, max(age, 3) as m, unicode('a') as u, char(65, 66) as c, sign(age) as s from people",
        "select id from people where (id, age) in (select person, person from visits) or name not like 'x%' escape '!'",
        "select value from json_each('[1, 2]')",
        "select rowid, cast(count(*) over () as integer) as n from people",
        "select datetime(born, 'start of month') as d, unixepoch(born) as e, time('12:00') as t from people",
    ),
    "mariadb": (
        "select `id`, `name` as `Na me` from `people`",
        "select id, if(age > 18, 'grown', \"young\") as band, ifnull(name, '') as n, concat_ws('-', id, name) as c from people",
        "select json_value(note, '$.town') as town, json_unquote(json_extract(note, '$.town')) as again from people",
        "select j.a from json_table('[{\"a\": 1}]', '$[*]' columns (a int path '$.a')) as j",
        "select date_add(born, interval 1 day) as n, date_format(born, '%Y') as m, timestampdiff(year, born, curdate()) as y from people",
        "select born + interval 1 month as n, extract(year from born) as y, datediff(now(), born) as d, year(born) as z from people",
        "select regexp_replace(name, '[aeiou]', '*') as r, name regexp '^a' as m, name rlike 'b' as l from people",
        "select group_concat(distinct name order by name separator ';') as names, std(age) as s, bit_or(id) as b from people",
        "select name, age, count(*) as n from people group by name, age with rollup",
        "select cast(age as decimal(9, 2)) as d, convert(name using utf8mb4) as n, cast(id as char character set utf8mb4) as c from people",
        "select id, lag(age) over w as l, ntile(4) over w as q from people window w as (order by id)",
        "select id from people where name collate utf8mb4_bin = 'Ann' or binary name = 'Bob' # the end",
        "select id, age div 3 as d, age mod 3 as m, age xor 1 as x, truncate(age, 0) as t, 'it\\'s' as q, _utf8mb4'ä' as u from people",
        "select left(name, 2) as l, right(name, 2) as r, lpad(id, 5, '0') as p, char_length(name) as c, elt(1, 'a', 'b') as e from people",
        "select * from (values (1, 'x'), (2, 'y')) as v",
        "select id from people where match(name) against ('Ann') or id <=> 3",
        "select straight_join p.id, v.ward from people as p, visits as v where p.id = v.person",
        "select md5(name) as m, sha2(name, 256) as s, crc32(name) as c, inet_aton('1.2.3.4') as i, hex(name) as h from people",
    ),
}  # fmt: skip

CONDITIONS = {
    "postgresql": ("note->>'town' is not null", "born > current_date - interval '200 years'", "name ~* 'a' and id = any (array[1, 2])"),
    "duckdb": ("note->>'$.town' is not null", "list_contains([1, 2], id)", "born > today() - interval 200 years"),
    "sqlite": ("json_extract(note, '$.town') is not null", "born > date('now', '-200 years')", "[age] > 3"),
    "mariadb": ("json_value(note, '$.town') is not null", "born > curdate() - interval 200 year", "`age` > 3"),
}


@pytest.fixture
def people(backend: Database) -> Database:
    columns = {"id": "integer", "age": "integer", "name": "text", "born": "date", "note": "text"}
    if backend.name == "postgresql":
        backend.execute("create type mood as enum ('calm', 'wild')")
        columns |= {"note": "jsonb", "mood": "mood default 'calm'"}
    names = ", ".join(columns)
    backend.create("people", columns)
    rows = [(1, 30, "Ann", "1990-01-02"), (2, 40, "Bob", "1980-03-04"), (3, 12, "Cleo", "2008-05-06"), (4, 40, "Bob", "1980-03-04")]
    for number, age, name, born in rows:
        mood = ", 'wild'" if "mood" in columns else ""
        backend.execute(f"""insert into people ({names}) values ({number}, {age}, '{name}', '{born}', '{{"town": "Bonn"}}'{mood})""")
    backend.create("visits", {"person": "integer", "ward": "text"}, [(1, "north"), (2, "south"), (2, "north")])
    if backend.name == "mariadb":
        backend.execute("create fulltext index words on people (name)")
    return backend


def test_queries_that_only_read_are_accepted(people: Database, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("files")
    (folder / "towns.csv").write_text("town,n\nBonn,1\n")
    wrong = []
    for number, text in enumerate((*EVERYWHERE, *QUERIES[people.name])):
        written = text.replace("{folder}", str(folder))
        plain = people.execute(written)
        with Workspace(connect(people.url), "count") as workspace:
            try:
                source = describe_query(workspace, written)
                rows = _rows(workspace, source)
            except ks.KanonError as error:
                wrong.append(f"{number} {text}: {error}")
                continue
        if len(rows) != len(plain) or any(len(row) != len(source.columns) for row in plain):
            wrong.append(f"{number} {text}: {len(source.columns)} columns and {len(rows)} rows")
    assert not wrong, "\n".join(wrong)


def test_conditions_that_only_read_are_accepted(people: Database) -> None:
    for text in CONDITIONS[people.name]:
        with Workspace(connect(people.url), "count") as workspace:
            table = describe_source(workspace, TableName(("people",)))
            assert _rows(workspace, filter_table(workspace, table, text)), text


def test_enough_queries_are_tried() -> None:
    assert len(EVERYWHERE) * len(QUERIES) + sum(map(len, QUERIES.values())) >= 140
    assert set(QUERIES) == set(CONDITIONS) == set(ENGINES)


def _rows(workspace: Workspace, source: TableDescription) -> list[Row]:
    """Return the rows of a query or a filtered table, read in a session that cannot write."""
    assert isinstance(source.source, SourceQuery)
    with workspace.backend.reader.read_only():
        return workspace.backend.fetch(f"select * from (\n{source.source.text}\n) as source_row")
