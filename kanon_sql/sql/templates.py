"""Finds SQL templates, renders them and spells them in the target's dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import jinja2
import sqlglot
from sqlglot import exp

from kanon_sql.common.resources import resource_folder
from kanon_sql.errors import KanonError
from kanon_sql.tables import Column, TableName

HOME_DIALECT = "duckdb"


class TemplateError(KanonError):
    """A template is missing, or does not render to one SELECT."""


def templates_folder() -> Path:
    """The folder of SQL templates."""
    return resource_folder("sql_templates")


def render(template: str, dialect: str, arguments: dict[str, Any]) -> str:
    """One SELECT in the target's dialect, from the common template or the dialect's own file."""
    own = _own_file(template, dialect)
    text = _fill(own, dialect, arguments) if own else translate(_fill(f"{template}.sql", HOME_DIALECT, arguments), dialect)
    return f"/* kanon_sql {template} */\n{text}"


def render_definition(template: str, dialect: str, arguments: dict[str, Any]) -> str:
    """A statement that makes, fills, renames or drops a table; a `select` among the inputs is already spelled."""
    if "select" in arguments:
        arguments = {**arguments, "select": _Sql(arguments["select"])}
    path = _own_file(template, dialect) or f"{template}.sql"
    mark = arguments.get("placeholder")
    if mark == _PERCENT_MARK:  # a driver that looks for % finds it in quoted names too; no name holds a zero byte
        text = _fill(path, dialect, {**arguments, "placeholder": _Sql("\0")}).replace("%", "%%").replace("\0", mark)
    else:
        text = _fill(path, dialect, arguments)
    return f"/* kanon_sql {template} */\n{text}"


_PERCENT_MARK = "%s"


def render_together(template: str, dialect: str, questions: Iterable[dict[str, Any]]) -> str:
    """One template's SELECT for each set of arguments, as one statement; texts of one shape are spelled once."""
    selects = [_Sql(_translate_shape(_fill(f"{template}.sql", HOME_DIALECT, arguments), dialect)) for arguments in questions]
    return f"/* kanon_sql {template} */\n{_fill('evaluate/together.sql', dialect, {'selects': selects})}"


# What differs between statements of one shape: parts of the class key, numbered names of ours, and whole numbers.
_VARYING = re.compile(r"\bq\d+_\d+\b|\b(?:__kanon_[0-9a-f]+_)?[a-z]+_\d+\b|(?<![\w.])\d+(?![\w.])")
_MARKED = re.compile(r"\b(?:q0_|n0_|7{15})(\d+)\b")


def _translate_shape(text: str, dialect: str) -> str:
    """The same as translate, for texts that differ in numbered names and in numbers only."""
    found: list[str] = []

    def mark(match: re.Match[str]) -> str:
        found.append(match[0])
        kind = "7" * 15 if match[0].isdigit() else "q0_" if re.match(r"q\d", match[0]) else "n0_"
        return f"{kind}{len(found)}"

    spelled = translate(_VARYING.sub(mark, text), dialect)
    return _MARKED.sub(lambda match: found[int(match[1]) - 1], spelled)


@cache
def _own_file(template: str, dialect: str) -> str | None:
    """The dialect's own file for a template, where there is one."""
    own = f"dialects/{dialect}/{template}.sql"
    return own if (templates_folder() / own).is_file() else None


def _fill(path: str, dialect: str, arguments: dict[str, Any]) -> str:
    return _environment(dialect).get_template(path).render(arguments).strip()


@lru_cache(maxsize=4096)
def translate(text: str, dialect: str) -> str:
    """Home-dialect SQL, proven to be one SELECT, in the target's dialect."""
    bare = _QUOTED.sub(" ", text)
    if not _READS.match(bare) or _DOES_MORE.search(bare):
        raise TemplateError("a template must render to exactly one SELECT")
    if dialect == HOME_DIALECT:
        return text
    return sqlglot.parse_one(text, read=HOME_DIALECT).transform(_respell, dialect).sql(dialect, pretty=True, identify=True)


# To parse what DuckDB will parse anyway took half as long as a small run's statements; that it only reads is told by its words.
_QUOTED = re.compile(r"""\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'|/\*.*?\*/|--[^\n]*""", re.DOTALL)
_READS = re.compile(r"[\s(]*(?:select|with)\b", re.IGNORECASE)
_WRITING = ("insert", "update", "delete", "merge", "create", "drop", "alter", "truncate", "copy", "attach", "detach", "call", "pragma")
_DOES_MORE = re.compile(rf";|\b(?:{'|'.join(_WRITING)})\b", re.IGNORECASE)


def parse_template(template: str, arguments: dict[str, Any]) -> exp.Expr:
    """A template's SELECT as a tree, for a user's own query to be part of it."""
    return sqlglot.parse_one(_fill(f"{template}.sql", HOME_DIALECT, arguments), read=HOME_DIALECT)


def spell_tree(tree: exp.Expr, template: str, dialect: str) -> str:
    """A tree as text in the target's dialect; names that a user wrote without quotes stay without."""
    spelled = tree if dialect == HOME_DIALECT else tree.transform(_respell, dialect)
    return f"/* kanon_sql {template} */\n{spelled.sql(dialect, pretty=True)}"


def quote(name: str, dialect: str) -> str:
    """An identifier in the dialect's quotes."""
    mark = "`" if dialect == "mysql" else '"'
    return mark + name.replace(mark, mark * 2) + mark


def qualified(table: TableName | str, dialect: str) -> str:
    """A table's full name, each part quoted."""
    parts = table.parts if isinstance(table, TableName) else (table,)
    return ".".join(quote(part, dialect) for part in parts)


# What `collate "C"` (compare byte for byte) is called where it is not called that.
_BINARY_COLLATIONS = {"sqlite": "BINARY", "mysql": "utf8mb4_nopad_bin"}


def _respell(node: exp.Expression, dialect: str) -> exp.Expression:
    """What sqlglot would spell in a way that means something else."""
    if isinstance(node, exp.Collate) and dialect in _BINARY_COLLATIONS:
        # A cast would make one text of SQLite's 1, '1' and x'31'.
        text: exp.Expression = node.this.this if dialect == "sqlite" and isinstance(node.this, exp.Cast) else node.this
        return exp.Collate(this=text, expression=exp.Var(this=_BINARY_COLLATIONS[dialect]))
    if isinstance(node, exp.Select) and dialect == "mysql" and _groups_by_parts(node):
        # MariaDB groups in a slow temporary table unless told to sort; of long texts it would sort the beginnings only.
        node.set("operation_modifiers", [exp.Var(this="SQL_BIG_RESULT")])
        return node
    if isinstance(node, exp.Join) and dialect == "mysql" and not node.side and node.alias_or_name in _FOUND_LAST:
        # MariaDB would begin with what is small and compare it with every row of the source.
        node.set("kind", "STRAIGHT_JOIN")
        return node
    if isinstance(node, exp.Chr) and dialect == "mysql":
        # MariaDB's CHAR takes the bytes of a character, not its code point.
        encoded = chr(int(node.expressions[0].name)).encode()
        return exp.Chr(expressions=[exp.Literal.number(int.from_bytes(encoded))], charset=exp.Var(this="utf8mb4"))
    if isinstance(node, exp.IntDiv) and dialect in ("sqlite", "postgres"):
        # Whole numbers divide to whole numbers here; sqlglot would go through floating point or numeric, which is wrong or slow.
        # What is inside is not visited again once its parent is replaced, so it is respelled here.
        above, below = (part.transform(_respell, dialect) for part in (node.this, node.expression))
        return exp.Paren(this=exp.Div(this=above, expression=below, typed=True, safe=False))
    if isinstance(node, exp.Chr) and dialect == "sqlite":
        return exp.Anonymous(this="CHAR", expressions=node.expressions)
    if isinstance(node, exp.Repeat) and dialect == "sqlite":
        # SQLite repeats nothing, but it writes each of n zero bytes as 00.
        zeros = exp.Anonymous(this="HEX", expressions=[exp.Anonymous(this="ZEROBLOB", expressions=[node.args["times"]])])
        return exp.Anonymous(this="REPLACE", expressions=[zeros, exp.Literal.string("00"), node.this])
    if isinstance(node, exp.Cast) and node.to.is_type("int128") and dialect != "sqlite":
        node.set("to", exp.DataType.build("decimal(38, 0)"))
        return node
    if isinstance(node, exp.Cast) and dialect == "sqlite" and node.to.is_type("decimal", "date", "timestamp", "int128"):
        # Whole numbers have 64 bits here and dates are text; a cast would make floating point of the ones and a year of the others.
        return exp.Paren(this=node.this)
    return node


# What a row of the source is looked up in.
_FOUND_LAST = ("assigned", "class")


def _groups_by_parts(select: exp.Select) -> bool:
    """Whether a query groups by parts of the class key, which are integers, and by nothing else."""
    group = select.args.get("group")
    keys = group.expressions if group else []
    return bool(keys) and all(
        isinstance(key, exp.Column | exp.Add) and all(_PART.fullmatch(column.name) for column in key.find_all(exp.Column)) for key in keys
    )


_PART = re.compile(r"q\d+_\d+|value_\d+|person")


@cache
def _environment(dialect: str) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates_folder()),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 (SQL, not HTML; every value goes through the filters below)
    )
    environment.finalize = _refuse_raw_values
    environment.filters.update(
        name=lambda name: _Sql(qualified(name, dialect)),
        names=lambda names, separator=", ": _Sql(separator.join(quote(name, dialect) for name in names)),
        number=lambda number: _Sql(int(number)),
        numbered=lambda stem, number: _Sql(quote(f"{stem}_{int(number)}", dialect)),
        type=lambda column: _Sql(column.type),
        written=_Sql,  # text that the database's own catalog gave, to be given back as it is
        exact=lambda column, table=None: _Sql(_exact(column, table, dialect)),
    )
    return environment


_LAYOUT = frozenset({"part", "part_0", "", ",", "+ ", "union all", "and (", "or", ")", "?", "%s"})


class _Sql(str):
    """Text that came through a filter and may stand in a statement."""

    __slots__ = ()


def _refuse_raw_values(value: Any) -> Any:
    if isinstance(value, _Sql | jinja2.Undefined) or value in _LAYOUT:
        return value
    raise TemplateError("a value would enter SQL text; pass it through name, names, numbered, number or exact")


def _exact(column: Column, table: str | None, dialect: str) -> str:
    """A column so that equal means equal byte for byte (and -0.0 equals 0.0)."""
    name = qualified(TableName((table, column.name) if table else (column.name,)), dialect)
    if column.kind == "text":
        return f'cast({name} as varchar) collate "C"'
    if column.kind in ("single", "float"):
        return f"case when {name} = 0 then 0.0 else {name} end"
    return name


def template_names() -> Iterable[str]:
    """Every common template, as its path without the ending."""
    folder = templates_folder()
    for path in sorted(folder.rglob("*.sql")):
        relative = path.relative_to(folder)
        if relative.parts[0] != "dialects":
            yield str(relative.with_suffix(""))
