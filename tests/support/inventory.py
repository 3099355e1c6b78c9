"""The catalog of a real database: a table and everything that belongs to it or reads it."""

from __future__ import annotations

import re
from typing import Any

import duckdb
from support.databases import Database, Server

Inventory = dict[str, Any]


def inventory(database: Database, table: str = "t") -> Inventory:
    """Read the whole inventory; it is equal before and after if nothing has changed."""
    found = {
        what: database.execute(query.replace("%T", table).replace("%D", getattr(database, "database", "")))
        for what, query in _QUERIES[database.name].items()
    }
    if database.name == "sqlite":
        found["texts"] = [(kind, name, _bare(sql)) for kind, name, sql in found["texts"]]
    if database.name == "mariadb":
        found["text"] = [(re.sub(r" AUTO_INCREMENT=\d+", "", text),) for _, text in found["text"]]
    return found


def announced(before: Inventory, *, text: str, dropped: str = "name", recoded: str = "age") -> Inventory:
    """Return the expected inventory after one column is dropped and another one becomes text."""
    columns = [(name, text if name == recoded else kind, *rest) for name, kind, *rest in before["columns"] if name != dropped]
    return {**before, "columns": columns}


def _bare(sql: str | None) -> str:
    """Return a statement's text without quotes and spaces, which engines may change."""
    return re.sub(r'[\s"`]+', "", sql or "").lower()


def fired(database: Database) -> int:
    """Return how often triggers have fired."""
    return int(database.execute("select count(*) from fired")[0][0])


def as_user(server: Server, name: str) -> str:
    """Return the URL of another user."""
    from sqlalchemy import make_url

    return make_url(server.url).set(username=name, password="pw").render_as_string(hide_password=False)


DUCKDB_HAS_TRIGGERS = DUCKDB_LOCKS = not duckdb.__version__.startswith("1.")

_DUCKDB = {
    "columns": "select column_name, data_type, is_nullable, column_default, comment from duckdb_columns() where table_name = '%T'"
    " and schema_name = 'main' order by column_index",
    "table": "select comment, has_primary_key, check_constraint_count from duckdb_tables() where table_name = '%T'",
    "constraints": "select constraint_type, constraint_text, constraint_column_names, referenced_table from duckdb_constraints()"
    " where table_name = '%T' order by all",
    "indexes": "select index_name, is_unique, sql from duckdb_indexes() where table_name = '%T' order by all",
    "views": "select view_name, sql, comment from duckdb_views() where not internal order by all",
    **({"triggers": "select trigger_name, sql from duckdb_triggers() order by all"} if DUCKDB_HAS_TRIGGERS else {}),
    "sequences": "select sequence_name, start_value, increment_by from duckdb_sequences() order by all",
    "types": "select type_name, labels from duckdb_types() where not internal order by all",
    "macros": "select function_name, macro_definition from duckdb_functions() where not internal order by all",
}

_SQLITE = {
    "columns": "select name, upper(type), \"notnull\", dflt_value, pk, hidden from pragma_table_xinfo('%T')",
    "table": "select type, ncol >= 0, wr, strict from pragma_table_list('%T') where schema = 'main'",
    "indexes": 'select list.name, list."unique", list.origin, list.partial, part.seqno, part.name, part.desc, part.coll'
    " from pragma_index_list('%T') as list join pragma_index_xinfo(list.name) as part where part.key = 1 order by 1, 5",
    "keys": 'select "table", "from", "to", on_update, on_delete from pragma_foreign_key_list(\'%T\') order by 2',
    "texts": "select type, name, sql from sqlite_master where type <> 'table' and sql is not null order by 1, 2",
    "children": "select type, name, sql from sqlite_master where type = 'table' and name not in"
    " ('%T', 't', '__kanon_journal', 'kanon_runs', 'sqlite_sequence') order by 2",
}

_POSTGRESQL = {
    "columns": "select a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid),"
    " a.attidentity::text, a.attgenerated::text, a.attacl::text, col_description(a.attrelid, a.attnum) from pg_attribute a"
    " left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum"
    " where a.attrelid = '%T'::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum",
    "table": "select relacl::text, relowner::regrole::text, reloptions::text, relreplident::text, relrowsecurity, relforcerowsecurity,"
    " relkind::text, relpersistence::text, obj_description(oid) from pg_class where oid = '%T'::regclass",
    "constraints": "select conname, contype::text, pg_get_constraintdef(oid), obj_description(oid) from pg_constraint"
    " where '%T'::regclass in (conrelid, confrelid) and contype <> 'n' order by 1",
    "indexes": "select indexrelid::regclass::text, pg_get_indexdef(indexrelid), indisreplident, indisclustered from pg_index"
    " where indrelid = '%T'::regclass order by 1",
    "triggers": "select tgname, tgenabled::text, pg_get_triggerdef(oid), obj_description(oid) from pg_trigger"
    " where tgrelid = '%T'::regclass and not tgisinternal order by 1",
    "policies": "select policyname, permissive, roles::text, cmd, qual, with_check from pg_policies where tablename = '%T' order by 1",
    "rules": "select rulename, pg_get_ruledef(oid) from pg_rewrite where ev_class = '%T'::regclass order by 1",
    "views": "select relname, relkind::text, relacl::text, pg_get_viewdef(oid) from pg_class where relkind in ('v', 'm')"
    " and relnamespace = 'public'::regnamespace order by 1",
    "publications": "select pubname, attnames::text, rowfilter from pg_publication_tables where tablename = '%T' order by 1",
    "parts": "select inhrelid::regclass::text, pg_get_expr(relpartbound, pg_class.oid) from pg_inherits"
    " join pg_class on pg_class.oid = inhrelid where inhparent = '%T'::regclass order by 1",
    "statistics": "select stxname, pg_get_statisticsobjdef(oid) from pg_statistic_ext where stxrelid = '%T'::regclass order by 1",
    "types": "select enumlabel from pg_enum order by enumsortorder",
}

_MARIADB = {
    "columns": "select column_name, column_type, is_nullable, column_default, extra, column_comment, collation_name"
    " from information_schema.columns where table_schema = '%D' and table_name = '%T' order by ordinal_position",
    "text": "show create table %T",
    "triggers": "select trigger_name, action_timing, event_manipulation, action_statement, definer from information_schema.triggers"
    " where trigger_schema = '%D' order by 1",
    "views": "select table_name, view_definition from information_schema.views where table_schema = '%D' order by 1",
    "grants": "select grantee, privilege_type from information_schema.table_privileges where table_schema = '%D'"
    " and table_name = '%T' order by 1, 2",
    "column_grants": "select grantee, column_name, privilege_type from information_schema.column_privileges where table_schema = '%D'"
    " and table_name = '%T' order by 1, 2, 3",
}

_QUERIES: dict[str, dict[str, str]] = {"duckdb": _DUCKDB, "sqlite": _SQLITE, "postgresql": _POSTGRESQL, "mariadb": _MARIADB}
