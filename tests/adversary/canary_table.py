"""A table whose unpublishable values are canaries, and the places to search for them after a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
from sqlalchemy import make_url
from support.canaries import files_under, forms
from support.databases import Database, DuckDB, PostgreSQL, Row, Server, SQLite

MARK = "-Ünmistakable'\"%\\-"  # what any escape would have to escape
NAMES = ("NAMEqz7x", "SSNRqz7x", "FONEqz7x", "IDNRqz7x", "ZIPCqz7x", "AREAqz7x", "DIAGqz7x", "NOTEqz7x")
NAME, SSN, PHONE, NUMBER, ZIP, AREA, DIAGNOSIS, NOTE = (f"{name}{MARK}" for name in NAMES)
BORN = 846_135_772_901_000  # in an interval that ends far from it
KEY, PASSWORD = f"KEYSqz7x{MARK} of thirty-two characters", "PASSqz7x-'\"%\\-"  # PyMySQL sends passwords in Latin-1
ROWS, OUTLIERS, K = 40, 2, 3

COLUMNS = {
    "name": "text", "ssn": "text", "phone": "text", "number": "text", "zip": "text", "area": "text", "born": "integer",
    "diagnosis": "text", "note": "text",
}  # fmt: skip
SUPPRESSED = {"role": "quasi_identifier", "hierarchy": "suppress"}
RULES: dict[str, Any] = {
    "name": "identifier",
    "ssn": {"role": "identifier", "action": "hash", "key": "env:ADVERSARY_KEY"},
    "phone": {"role": "identifier", "action": "null"},
    "number": {"role": "identifier", "action": "sequence"},
    "zip": SUPPRESSED,
    "area": SUPPRESSED,
    "born": {"role": "quasi_identifier", "hierarchy": {"intervals": [1_000_000_000_000]}},
    "diagnosis": "sensitive",
    "note": "insensitive",
}


def people() -> list[Row]:
    """Return rows whose identifiers, zips and births are canaries, and outliers in which every value is one."""
    rows: list[Row] = []
    for n in range(ROWS):
        own = (f"{NAME}{n:03}", f"{SSN}{n:03}", f"{PHONE}{n:03}", f"{NUMBER}{n:03}", f"{ZIP}{n:03}")
        if n < ROWS - OUTLIERS:
            rows.append((*own, f"area {n % 2}", BORN + n, ("flu", "cold")[n % 3 % 2], f"note {n % 4}"))
        else:
            rows.append((*own, f"{AREA}{n:03}", BORN + n, f"{DIAGNOSIS}{n:03}", f"{NOTE}{n:03}"))
    return rows


# The hash key and the password are no cells, but nobody may see them either.
CANARIES = forms(
    dict(zip(COLUMNS, (NAME, SSN, PHONE, NUMBER, ZIP, AREA), strict=False))
    | {"diagnosis": DIAGNOSIS, "note": NOTE, "hash key": KEY, "password": PASSWORD}
    | {f"born {n}": BORN + n for n in (0, 1, ROWS - 1)}
)


def policy(publish: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a policy that suppresses the outliers."""
    return {"table": "people", "publish": publish, "privacy": {"k": K}, "suppression": 0.1, "columns": RULES, **changes}


def make_people(backend: Database) -> None:
    """Create the table with indexes, a comment and statistics, and write everything to disk."""
    backend.create("people", {**COLUMNS, **({} if backend.name != "mariadb" else dict.fromkeys(("diagnosis", "note"), "varchar(100)"))})
    if isinstance(backend, DuckDB):
        _fill_uncompressed(backend)
    else:
        marks = ", ".join(["%s" if isinstance(backend, Server) else backend.mark] * len(COLUMNS))
        backend.execute(f"insert into people values ({marks})", people())
    backend.execute("create index by_note on people (note)")
    backend.execute("create index by_diagnosis on people (diagnosis)")
    for statement in _FINISH[backend.name]:
        backend.execute(statement)


def _fill_uncompressed(backend: DuckDB) -> None:
    """Insert the rows without compression, because a compressed canary would not be found."""
    with duckdb.connect(str(backend.path)) as connection:
        connection.execute("set force_compression = 'uncompressed'")
        connection.executemany(f"insert into people values ({', '.join('?' * len(COLUMNS))})", people())
        connection.execute("checkpoint")


_FINISH = {
    "duckdb": ["comment on column people.note is 'what was said'", "checkpoint"],
    "sqlite": ["analyze"],
    "postgresql": [
        "create index by_lower_note on people (lower(note))",
        "create statistics pairs (mcv, ndistinct) on diagnosis, note from people",
        "create statistics expression on lower(diagnosis) from people",
        "comment on column people.note is 'what was said'",
        "analyze people",
    ],
    "mariadb": ["analyze table people persistent for all"],
}

# Everything a catalog says of a table's values; {} is the table's name.
_STATISTICS: dict[str, list[str]] = {
    "duckdb": ["select * from pragma_storage_info('{}')", "select * from duckdb_columns() where table_name = '{}'"],
    "sqlite": ["select * from sqlite_stat1 where tbl = '{}'", "select sql from sqlite_master where tbl_name = '{}'"],
    "postgresql": [
        "select * from pg_stats where tablename = '{}' or tablename in (select indexname from pg_indexes where tablename = '{}')",
        "select * from pg_stats_ext where tablename = '{}'",
        "select * from pg_stats_ext_exprs where tablename = '{}'",
        "select description from pg_description where objoid = '{}'::regclass",
        "select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = '{}'::regclass",
    ],
    "mariadb": [
        "select * from mysql.column_stats where db_name = database() and table_name = '{}'",
        "select * from mysql.innodb_index_stats where database_name = database() and table_name = '{}'",
        "show create table {}",
    ],
}


def statistics(backend: Database, table: str) -> str:
    """Return what catalogs and statistics contain about a table."""
    if backend.name == "sqlite" and not backend.execute("select 1 from sqlite_master where name = 'sqlite_stat1'"):
        backend.execute("analyze")
    return "\n".join(str(backend.execute(sql.replace("{}", table))) for sql in _STATISTICS[backend.name])


def records(backend: Database) -> str:
    """Return the journal and the history."""
    return "\n".join(
        str(backend.execute(f"select * from {table}")) for table in ("__kanon_journal", "kanon_runs") if table in backend.tables()
    )


def files(backend: Database) -> list[Path]:
    """Return the files of the table: those of its database, or on a server those of the table, its indexes and long values."""
    if isinstance(backend, DuckDB | SQLite):
        return list(files_under(backend.path.parent))
    assert isinstance(backend, Server)
    if isinstance(backend, PostgreSQL):
        backend.at_home("checkpoint")
        ((home,),) = backend.execute("show data_directory")
        return [path for (relation,) in backend.execute(_RELATIONS) for path in Path(home).glob(f"{relation}*")]
    backend.execute("flush tables people for export")
    ((home,),) = backend.execute("select @@datadir")
    return list(files_under(Path(home) / backend.database))


_RELATIONS = """
with relation as (select oid, reltoastrelid from pg_class where oid = 'people'::regclass)
select pg_relation_filepath(oid) from relation union all
select pg_relation_filepath(reltoastrelid) from relation where reltoastrelid <> 0 union all
select pg_relation_filepath(indexrelid) from pg_index join relation on indrelid in (oid, reltoastrelid)
"""


def url_with_password(backend: Database) -> str:
    """Return the database's URL with a password that must not be shown."""
    if not isinstance(backend, Server):
        return backend.url
    url = make_url(backend.url)
    if not isinstance(backend, PostgreSQL):  # whose server in the tests takes any password
        spelled = PASSWORD.replace("\\", "\\\\").replace("'", "''")
        backend.at_home(f"create or replace user adversary@localhost identified by '{spelled}'")
        backend.at_home("grant all on *.* to adversary@localhost")
        url = url.set(username="adversary")
    return url.set(password=PASSWORD).render_as_string(hide_password=False)


def unpublished(rows: Sequence[Row]) -> str:
    """Return published rows as text, which must contain no canary."""
    return "\n".join(map(str, rows))
