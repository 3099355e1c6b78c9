"""Finds SQL templates and renders them in the dialect of a database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2

from kanon_sql.common.resources import resource_folder
from kanon_sql.sql.dialects import DIALECTS, HOME
from kanon_sql.sql.template_cache import TemplateCache
from kanon_sql.sql.translation import TemplateError, parse, spell, translate, translate_shape
from kanon_sql.tables import Column, SourceQuery, TableName

if TYPE_CHECKING:
    from sqlglot import exp

_PERCENT_MARK = "%s"


def templates_folder() -> Path:
    """Return the folder of SQL templates."""
    return resource_folder("sql_templates")


def render(template: str, dialect: str, arguments: dict[str, Any]) -> str:
    """Return one SELECT in a dialect, from the common template or the dialect's own file."""
    own = _own_file(template, dialect)
    text = _fill(own, dialect, arguments) if own else _fill_and_translate(f"{template}.sql", dialect, arguments)
    return f"/* kanon_sql {template} */\n{text}"


def render_definition(template: str, dialect: str, arguments: dict[str, Any]) -> str:
    """Return a statement that creates, fills, renames or drops a table; a `select` among the arguments is already in the dialect."""
    if "select" in arguments:
        arguments = {**arguments, "select": _Sql(arguments["select"])}
    path = _own_file(template, dialect) or f"{template}.sql"
    mark = arguments.get("placeholder")
    if mark == _PERCENT_MARK:  # a driver that searches for % finds it in quoted names too; no name holds a zero byte
        text = _fill(path, dialect, {**arguments, "placeholder": _Sql("\0")}).replace("%", "%%").replace("\0", mark)
    else:
        text = _fill(path, dialect, arguments)
    return f"/* kanon_sql {template} */\n{text}"


def render_together(template: str, dialect: str, questions: Iterable[dict[str, Any]]) -> str:
    """Return one SELECT of a template for each set of arguments, as one statement."""
    selects = [_Sql(translate_shape(_fill(f"{template}.sql", HOME.name, arguments), dialect)) for arguments in questions]
    return f"/* kanon_sql {template} */\n{_fill('evaluate/together.sql', dialect, {'selects': selects})}"


def _fill_and_translate(path: str, dialect: str, arguments: dict[str, Any]) -> str:
    """Return a common template in a dialect; a user's query, which is in that dialect already, is put in after the translation."""
    text = _fill(path, HOME.name, arguments)
    queries = {key: value for key, value in arguments.items() if isinstance(value, SourceQuery)}
    if not queries:
        return translate(text, dialect)
    names = unused_names(queries, text)
    return insert_queries(translate(_fill(path, HOME.name, {**arguments, **names}), dialect), names, queries, dialect)


def unused_names(queries: Iterable[str], text: str) -> dict[str, TableName]:
    """Return a table name for each query that occurs nowhere in a text, to be replaced by the query after a translation."""
    names: dict[str, TableName] = {}
    for key in queries:
        name = f"__kanon_query_{len(names) + 1}"
        while name in text:  # a user's own name, or a part of the query
            name += "_"
        names[key] = TableName((name,))
    return names


def insert_queries(sql: str, names: Mapping[str, TableName], queries: Mapping[str, SourceQuery], dialect: str) -> str:
    """Return SQL in a dialect with queries instead of the names that were chosen for them."""
    for key, query in queries.items():
        sql = sql.replace(qualified(names[key], dialect), _in_parentheses(query))
    return sql


@cache
def _own_file(template: str, dialect: str) -> str | None:
    """Return the dialect's own file for a template, where there is one."""
    own = f"dialects/{dialect}/{template}.sql"
    return own if (templates_folder() / own).is_file() else None


def _fill(path: str, dialect: str, arguments: dict[str, Any]) -> str:
    if any(isinstance(item, SourceQuery) for value in arguments.values() if isinstance(value, list | tuple) for item in value):
        raise TemplateError("a user's query must be an argument, not part of a list, where it would be translated and not run read-only")
    return _environment(dialect).get_template(path).render(arguments).strip()


def parse_template(template: str, arguments: dict[str, Any]) -> exp.Expr:
    """Return a template's SELECT as a tree, for a query of a user to become part of it."""
    return parse(_fill(f"{template}.sql", HOME.name, arguments))


def spell_tree(tree: exp.Expr, template: str, dialect: str) -> str:
    """Return a tree as text in a dialect; names that a user wrote without quotes stay without."""
    return f"/* kanon_sql {template} */\n{spell(tree, dialect)}"


def quote(name: str, dialect: str) -> str:
    """Return an identifier in the dialect's quotes."""
    return DIALECTS[dialect].quote(name)


def qualified(table: TableName | str, dialect: str) -> str:
    """Return a table's full name, each part quoted."""
    parts = table.parts if isinstance(table, TableName) else (table,)
    return ".".join(quote(part, dialect) for part in parts)


def _in_parentheses(query: SourceQuery) -> str:
    return f"(\n{query.text}\n)"


@cache
def _environment(dialect: str) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_folder()),
        bytecode_cache=TemplateCache(templates_folder()),
        auto_reload=False,  # templates do not change while a process runs
        cache_size=-1,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 (SQL, not HTML; every value goes through the filters below)
    )
    environment.finalize = _refuse_raw_values
    environment.filters.update(
        name=lambda name: _Sql(_in_parentheses(name) if isinstance(name, SourceQuery) else qualified(name, dialect)),
        names=lambda names, separator=", ": _Sql(separator.join(quote(name, dialect) for name in names)),
        number=lambda number: _Sql(int(number)),
        numbered=lambda stem, number: _Sql(quote(f"{stem}_{int(number)}", dialect)),
        type=lambda column: _Sql(column.type),
        written=_Sql,  # text from the database's own catalog, or proven to only read
        exact=lambda column, table=None: _Sql(_exact(column, table, dialect)),
    )
    return environment


_LAYOUT = frozenset({"part", "part_0", "", ",", "+ ", "union all", "and (", "or", ")", "?", "%s"})


class _Sql(str):
    """Text that came through a filter and may be part of a statement."""

    __slots__ = ()


def _refuse_raw_values(value: Any) -> Any:
    if isinstance(value, _Sql | jinja2.Undefined) or value in _LAYOUT:
        return value
    raise TemplateError("a value would enter SQL text; pass it through name, names, numbered, number or exact")


def _exact(column: Column, table: str | None, dialect: str) -> str:
    """Return a column in a form in which equal means equal byte for byte (and -0.0 equals 0.0)."""
    name = qualified(TableName((table, column.name) if table else (column.name,)), dialect)
    if column.kind == "text":
        return DIALECTS[dialect].exact_text.format(name)
    if column.kind in ("single", "float"):
        return f"case when {name} = 0 then 0.0 else {name} end"
    return name


def template_names() -> Iterable[str]:
    """Return every common template, as its path without the ending."""
    folder = templates_folder()
    for path in sorted(folder.rglob("*.sql")):
        relative = path.relative_to(folder)
        if relative.parts[0] != "dialects":
            yield str(relative.with_suffix(""))
