"""SQL in a policy that does more than read is refused on every engine before it runs, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.databases import Database

import kanon_sql as ks
from kanon_sql.backends import connect
from kanon_sql.errors import QueryError
from kanon_sql.sql.dialects import DIALECTS
from kanon_sql.sql.read_only import read_only_query
from kanon_sql.sql.templates import quote
from kanon_sql.stages.profile.source import describe_source
from kanon_sql.stages.profile.source_queries import describe_query, filter_table
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

COLUMNS = {"id": "integer", "name": "text"}
ROWS = [(1, "Ann"), (2, "Bob"), (3, "Cleo")]
READING = {name: dialect.reading for name, dialect in DIALECTS.items()}
VARYING = {name: dialect.varying for name, dialect in DIALECTS.items()}

EVERYWHERE = (
    "insert into people values (4, 'x')", "delete from people", "update people set name = ''", "drop table people",
    "create table stolen as select * from people", "select id from people; drop table people",
    "select id /*! , sleep(9) */ from people", "select id /*M! , sleep(9) */ from people",
    "select sleep(9) as s", "select pg_sleep(9) as s", "select unknown_function(id) as f from people",
    "select id from people where id = (with gone as (delete from people returning id) select max(id) from gone)",
    "select id from people -- \n; delete from people",
    "select id /* /* */ from people */ from people",
    "select id\u200b from people",
)  # fmt: skip

# What to try, and what runs beforehand for it to find; {folder} is one that must stay empty.
HOSTILE = {
    "postgresql": (
        """select U&"\\006eextval"('s') as n""", """select u&"n\\0065xtval"('s') as n""", "select U&'\\0061' as n",
        "select nextval('s') as n", """select "nextval"('s') as n""", "select pg_catalog.nextval('s') as n",
        """select "pg_catalog"."nextval"('s') as n""", "select pg_catalog . nextval /* x */ ('s') as n", "select NextVal('s') as n",
        "select foo$a$, nextval('s'), bar$a$ from (select 1 as foo$a$, 2 as bar$a$) as x", "select setval('s', 9) as n",
        "select lastval() as n", "select currval('s') as n", "select (people).act as n from people", "select people.act as n from people",
        "select act(people) as n from people", "select public.act(people) as n from people", "select upper(mood) as n from moods",
        "select name + name as n from people", "select name operator(public.+) name as n from people", "select 1 <+> 2 as n",
        "select 'calm'::mood::integer as n",
        "select word from ts_stat($$select to_tsvector(nextval('s')::text)$$)",
        "select ts_rewrite('a'::tsquery, $$select 'a'::tsquery, nextval('s')::text::tsquery$$) as n",
        "select query_to_xml('select nextval(''s'')', true, true, '') as n", "select cursor_to_xml('c', 1, true, true, '') as n",
        "select table_to_xml('people', true, true, '') as n", "select database_to_xml(true, true, '') as n",
        "select lo_create(77) as n", "select lowrite(1, 'x') as n", "select lo_import('/etc/hostname') as n",
        "select lo_from_bytea(77, 'x') as n", "select lo_get(77) as n", "select pg_read_file('/etc/hostname') as n",
        "select * from pg_ls_dir('.') as f", "select * from pg_stat_file('.')", "select pg_notify('a', 'b') as n",
        "select brin_summarize_new_values('people_brin') as n", "select gin_clean_pending_list('people_gin') as n",
        "select set_config('kanon.x', 'y', false) as n", "select pg_advisory_lock(1) as n", "select pg_try_advisory_lock(1) as n",
        "select pg_terminate_backend(0) as n", "select pg_reload_conf() as n", "select pg_switch_wal() as n",
        "select txid_current() as n", "select pg_current_xact_id() as n", "select pg_export_snapshot() as n",
        "select * from crosstab('select nextval(''s''), 1, 1') as c(a int, b int)", "select * from dblink('', 'select 1') as c(a int)",
        "select * into stolen from people", "select id from people for update", "select id from people for share",
        "select * from rows from (nextval('s')) as n", "select n from (select 1) as x, lateral nextval('s') as n",
        "with nextval(a) as (select 1) select nextval('s') as n from nextval", "select 1 as a, nextval('s') as b",
        "select nextval('s') filter (where true) as n", "values (nextval('s'))", "table people; select nextval('s')",
        "select binary_upgrade_set_next_pg_type_oid(1) as n", "select pg_create_restore_point('x') as n",
        "do $$begin perform nextval('s'); end$$", "call proc()", "explain analyze select nextval('s')", "copy people to '/tmp/x'",
        "select id from people where id = $1", "select id from people where name = 'a' {# , nextval('s') #}",
    ),
    "duckdb": (
        "select nextval('s') as n", "select 's'.nextval() as n", """select "nextval"('s') as n""", "select main.nextval('s') as n",
        "select nextval\u200b('s') as n", "select nextval\u00a0('s') as n", "select system.main.nextval('s') as n",
        "from enable_logging(storage = 'file', storage_config = {'path': '{folder}/log'})",
        "from enable_logging(storage := 'file', storage_path := '{folder}')",
        "from json_execute_serialized_sql(json_serialize_sql('select nextval(''s'')'))", "from checkpoint()", "from force_checkpoint()",
        "select write_log('x') as n", "from postgres_execute('db', 'select 1')", "from postgres_query('db', 'select 1')",
        "from mysql_execute('db', 'select 1')", "from query('select nextval(''s'')')", "from query_table('people')",
        "select getenv('HOME') as n", "from duckdb_secrets()", "from which_secret('s3://x', 's3')", "select getvariable('x') as n",
        "select current_setting('home_directory') as n", "select content from read_text('/etc/hostname')",
        "from read_blob('/etc/hostname')", "from glob('/etc/*')", "from sniff_csv('/etc/hostname')", "from read_duckdb('/x')",
        "select sleep_ms(9) as n", "select setseed(0.5) as n", "select act() as n", "select ltrim(name) as n from people",
        "from acting()", "from duckdb_settings()", "from pragma_storage_info('people')", "from truncate_duckdb_logs()",
        "copy people to '{folder}/x.csv'", "attach '{folder}/x.db'", "install httpfs", "load httpfs", "pragma database_list",
        "call enable_logging()", "export database '{folder}'", "set threads = 1", "summarize people", "describe people",
        "select id from people where id = $1", "select id from people where id = $name", "select error('x') as n",
        "with nextval(a) as (select 1) select nextval('s') as n from nextval", "select n: nextval('s')", "select [nextval('s')] as n",
        "select list_transform([1], lambda x: nextval('s')) as n", "select id from people limit nextval('s')",
        "select U&\"\\006eextval\"('s') as n", "select id from people {# , nextval('s') #}",
    ),
    "sqlite": (
        "select load_extension('x') as n", """select "load_extension"('x') as n""", "select `load_extension`('x') as n",
        "select [load_extension]('x') as n", "select fts3_tokenizer('a', x'00') as n", "select writefile('{folder}/x', 'y') as n",
        "select readfile('/etc/hostname') as n", "select edit('x') as n", "select sqlite_log(1, 'x') as n",
        "select last_insert_rowid() as n", "select changes() as n", "select kanon_unknown(1) as n", "vacuum into '{folder}/x'",
        "attach '{folder}/x.db' as x", "pragma journal_mode = delete", "reindex", "select id from people where id = ?1",
        "select id from people where id = :a", "select id from people where id = @a", "select main.upper(name) as n from people",
        "select id from people where id in (select load_extension('x'))", "select sqlite_compileoption_get(1) as n",
        "replace into people values (1, 'x')", "select fts5_source_id() as n", "select raise(abort, 'x') as n",
    ),
    "mariadb": (
        "select last_insert_id(5) as n", "select last_insert_id() as n", "select nextval(s) as n", "select next value for s as n",
        "select previous value for s as n", "select lastval(s) as n", "select setval(s, 9) as n", "select `nextval`(s) as n",
        "select 1--act()", "select 1 --act()", "select act() as n", "select `act`() as n", "select {database}.act() as n",
        "select {database}.upper(name) as n from people", "select `{database}` . `lower`(name) as n from people",
        "select sleep(9) as n", "select benchmark(1000000000, md5('x')) as n", "select get_lock('a', 9) as n",
        "select release_lock('a') as n",
        "select release_all_locks() as n", "select is_used_lock('a') as n", "select load_file('/etc/hostname') as n",
        "select * from people into outfile '{folder}/x'", "select name from people limit 1 into dumpfile '{folder}/x'",
        "select id into @x from people limit 1", "select @x := 5 as n", "select @@version as n", "select @x as n",
        "select id from people for update", "select id from people lock in share mode", "select id from people procedure analyse()",
        "select master_pos_wait('a', 1) as n", "select found_rows() as n", "select row_count() as n", "select connection_id() as n",
        "select sys_exec('x') as n", "select /*+ ' */ act() -- '\n as n", "select id from people where name = 'a\\' or act() = '1'",
        "select 'a\\'', act() as n, '\\'' as m", "select id from people /*!50000 , act() */", "handler people open", "do act()",
        "call proc()", "select uuid_short() as n", "select values(id) as n, act() as m from people", "set @x = 1",
    ),
}  # fmt: skip

PREPARED = {
    "postgresql": (
        "create sequence s", "create type mood as enum ('calm', 'wild')", "create table moods (mood mood)",
        "create function act(people) returns bigint language sql as $$select nextval('s')$$",
        "create function act_on(text, text) returns bigint language sql as $$select nextval('s')$$",
        "create function upper(mood) returns bigint language sql immutable as $$select 1::bigint$$",
        "create function number_of(mood) returns integer language sql as $$select nextval('s')::integer$$",
        "create operator + (leftarg = text, rightarg = text, function = act_on)",
        "create cast (mood as integer) with function number_of(mood)",
        "create index people_brin on people using brin (id)", "create index people_gin on people using gin (to_tsvector('simple', name))",
    ),
    "duckdb": (
        "create sequence s", "create macro act() as nextval('s')", "create macro acting() as table select nextval('s') as n",
        "create macro ltrim(x) as nextval('s')",
    ),
    "sqlite": (),
    "mariadb": (
        "create sequence s", "create function act() returns bigint return nextval(s)",
        "create function `upper`(x text) returns bigint return nextval(s)",
        "create function `lower`(x text) returns bigint return nextval(s)",
    ),
}  # fmt: skip

TAKEN = {
    "postgresql": "select is_called from s", "duckdb": "select last_value is not null from duckdb_sequences()",
    "sqlite": "select 0", "mariadb": "select next_not_cached_value > 1 from s",
}  # fmt: skip


@pytest.fixture
def people(backend: Database) -> Database:
    backend.create("people", COLUMNS, ROWS)
    for sql in PREPARED[backend.name]:
        backend.execute(sql)
    return backend


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


def everything(database: Database) -> Any:
    """Return everything that a query could change."""
    return database.tables(), database.rows("people"), database.execute(TAKEN[database.name])


def hostile(database: Database, folder: Path) -> list[str]:
    texts = [*EVERYWHERE, *HOSTILE[database.name]]
    return [text.replace("{folder}", str(folder)).replace("{database}", getattr(database, "database", "")) for text in texts]


def outcome(database: Database, action: Callable[[Workspace], object]) -> str:
    """Return the error for a refused source, or whether it was accepted or refused by the database only."""
    with Workspace(connect(database.url), "count") as workspace:
        try:
            action(workspace)
        except ks.RequestError as error:
            return str(error)
        except QueryError:
            return "sent to the database"
    return "accepted"


def test_queries_that_do_more_than_read_are_refused_and_change_nothing(people: Database, folder: Path) -> None:
    before = everything(people)
    outcomes = {text: outcome(people, partial(describe_query, text=text)) for text in hostile(people, folder)}
    assert not {text: said for text, said in outcomes.items() if not said.startswith("table.query: ")}
    assert everything(people) == before
    assert not list(folder.iterdir())


def test_conditions_that_do_more_than_read_are_refused_and_change_nothing(people: Database, folder: Path) -> None:
    def filtered(workspace: Workspace, condition: str) -> object:
        return filter_table(workspace, describe_source(workspace, TableName(("people",))), condition)

    before = everything(people)
    texts = [text for text in hostile(people, folder) if " " in text]  # one word is a column
    conditions = [*texts, *(f"exists ({text})" for text in texts)]
    outcomes = {text: outcome(people, partial(filtered, condition=text)) for text in conditions}
    assert not {text: said for text, said in outcomes.items() if not said.startswith("where: ")}
    assert everything(people) == before
    assert not list(folder.iterdir())


# Texts in which one database sees a call where another sees a literal or a comment; no database has the function evil.
AMBIGUOUS = (
    "select 'a\\' , evil(1), '' as a", "select 'a\\'' , evil(1), '\\'' as a", 'select "a\\" , evil(1), "" as a',
    "select $$ ', evil(1), ' $$ as a", "select E'\\' , evil(1), ' as a", "select e'\\'', evil(1), '\\'' as a",
    "select q'[ ', evil(1), ' ]' as a", "select [a', evil(1), 'b] from (select 1 as \"a', evil(1), 'b\") as t",
    "select `a', evil(1), 'b` from (select 1 as `a', evil(1), 'b`) as t",
    "select 1 -- ', \n , evil(1), '' as a", "select 1 # ', \n , evil(1) as a",
    "select a$b$ , evil(1), c$b$ from (select 1 as a$b$, 2 as c$b$) as t", "select 1 /* ' */ , evil(1) /* ' */ as a",
    "select 1 /* /* */ , evil(1) /* */ */ as a", "select 1 {# ' #} , evil(1) {# ' #} as a", "select 1 // ', \n , evil(1) as a",
    "select U&'\\0027' , evil(1) , '' as a", 'select U&"\\0065vil"(1) as a', "select 1--evil(1)\n+1 as a",
    "select /*+ ' */ evil(1) /* ' */ as a", "select b'0' 'x', evil(1) as a", "select r'\\' , evil(1), ' as a",
    "select N'\\' , evil(1), ' as a", "select N'a' as a -- ', evil(1)", "select 1 as a -- evil(1)", "select 1 as a # evil(1)",
    "select 'a''b', 'evil(1)' as a", "select 'a\\', 'evil(1)' as a", "select x'27' as a, ', evil(1), ' as b",
    "select \"it's\", 'evil(1)' as b from (select 1 as \"it's\") as t",
    "select $a$ $$, evil(1), $$ $a$ as a", "select $a$ $A$ , evil(1), $A$ $a$ as a", "select '\n', 'evil(1)' as a",
    "select 1 as a /* evil(1) */",
    "select E'\\\\', 'evil(1)' as a from (select 1 as e) as t",
    "select E'\\\\'' evil(1) ' as a from (select 1 as e) as t", "select '%s', '%', 'evil(1)' as a", "select ':evil(1)', '?' as a",
)  # fmt: skip


def test_accepted_queries_contain_no_hidden_calls(backend: Database) -> None:
    dialect = {"postgresql": "postgres", "mariadb": "mysql"}.get(backend.name, backend.name)
    accepted = 0
    for text in AMBIGUOUS:
        try:
            query = read_only_query(text, dialect, "table.query")
        except ks.RequestError:
            continue
        accepted += 1
        assert "evil" not in query.functions
        with Workspace(connect(backend.url), "read") as workspace:
            workspace.backend.fetch(query.text)
    assert accepted > 5


@pytest.mark.engines("postgresql")
def test_a_query_of_measure_cannot_write_through_a_hidden_function(people: Database) -> None:
    policy = {
        "table": "people", "publish": {"into": "x"}, "privacy": {"k": 2}, "columns": {"id": "quasi_identifier"}, "others": "drop",
        "queries": ["select max(people.act) from {table} as people", "select max(name + name) from {table}"],
    }  # fmt: skip
    report = ks.measure(people.url, policy, released="people")
    assert all(query.reason is not None for query in report.queries)
    assert people.execute(TAKEN[people.name]) == [(False,)]


def refused(names: Iterable[str], dialect: str) -> set[str]:
    """Check that queries cannot call the functions that are not listed, quoted or not."""
    found = {name for name in names if name.lower() not in READING[dialect]}
    for name in found:
        for written in (name, quote(name, dialect)):
            with pytest.raises(ks.RequestError, match=f"(?i)^table.query: (the function {name} |cannot be read as SQL)"):
                read_only_query(f"select {written}(1) as a", dialect, "table.query")
    return found


@pytest.mark.engines("postgresql")
def test_no_volatile_function_of_postgresql_can_be_called(backend: Database) -> None:
    volatile = {name for (name,) in backend.execute("select distinct proname from pg_proc where provolatile = 'v'")}
    samples = {"bernoulli", "system"}  # methods of TABLESAMPLE, which are no functions in a query
    assert len(volatile) > 200
    assert refused(volatile - samples, "postgres") == volatile - samples
    existing = {name for (name,) in backend.execute("select proname from pg_proc")}
    assert len(READING["postgres"] & existing) > 400


@pytest.mark.engines("duckdb")
def test_no_function_of_duckdb_that_is_not_listed_can_be_called(backend: Database) -> None:
    found = backend.execute("select function_name, stability from duckdb_functions() where regexp_full_match(function_name, '\\w+')")
    left_out = refused({name for name, _ in found}, "duckdb")
    assert len(left_out) > 300
    assert {name for name, stability in found if stability == "VOLATILE"} <= left_out


@pytest.mark.engines("sqlite")
def test_no_function_of_sqlite_that_is_not_listed_can_be_called(backend: Database) -> None:
    names = {name for (name,) in backend.execute("select distinct name from pragma_function_list") if name.isidentifier()}
    assert {"load_extension", "random", "fts3_tokenizer"} <= refused(names, "sqlite")


@pytest.mark.engines("mariadb")
def test_no_function_of_mariadb_that_is_not_listed_can_be_called(backend: Database) -> None:
    names = {name.lower() for (name,) in backend.execute("select function from information_schema.sql_functions")}
    assert {"last_insert_id", "sleep", "benchmark", "load_file", "get_lock", "rand"} <= refused(names, "mysql")


def test_no_function_is_both_reading_and_varying() -> None:
    for dialect, names in READING.items():
        assert not names & VARYING[dialect]
        assert all(name == name.lower() and name.isidentifier() for name in names)
