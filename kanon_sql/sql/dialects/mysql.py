"""MariaDB (and, untested, MySQL)."""

from __future__ import annotations

import re

from sqlglot import exp

from kanon_sql.sql.dialects.dialect import BACKTICKED, BLOCK_COMMENT, ESCAPED_TEXT, KEYED, Dialect, Lexicon
from kanon_sql.sql.dialects.mysql_functions import READING, VARYING
from kanon_sql.sql.dialects.spelling import rename_collation, widen_to_decimal

# Tables in which a row of the source is looked up.
_LOOKED_UP = ("assigned", "class")

_PART = re.compile(r"q\d+_\d+|value_\d+|person")


def _respell(node: exp.Expr) -> exp.Expr:
    """Return an expression that sqlglot would spell in a way that means something else, or that is slow, in the right spelling."""
    match node:
        case exp.Collate():
            return rename_collation(node, "utf8mb4_nopad_bin")
        case exp.Chr():
            # MariaDB's CHAR takes the bytes of a character, not its code point.
            encoded = chr(int(node.expressions[0].name)).encode()
            return exp.Chr(expressions=[exp.Literal.number(int.from_bytes(encoded))], charset=exp.Var(this="utf8mb4"))
        case exp.Cast():
            return widen_to_decimal(node)
        case exp.Select() if _groups_by_parts(node):
            # MariaDB groups in a slow temporary table unless this hint lets it sort. Of long texts it would sort only the beginnings.
            node.set("operation_modifiers", [exp.Var(this="SQL_BIG_RESULT")])
        case exp.Join() if not node.side and node.alias_or_name in _LOOKED_UP:
            # MariaDB would begin with the small table and compare each of its rows with every row of the source.
            node.set("kind", "STRAIGHT_JOIN")
    return node


def _groups_by_parts(select: exp.Select) -> bool:
    """Return whether a query groups by class keys or parts of them, which are integers, and by nothing else."""
    group = select.args.get("group")
    source = select.args.get("from_") or select.args.get("from")
    if group and source and source.alias_or_name == KEYED:
        return True
    keys = group.expressions if group else []
    return bool(keys) and all(
        isinstance(key, exp.Column | exp.Add) and all(_PART.fullmatch(column.name) for column in key.find_all(exp.Column)) for key in keys
    )


MYSQL = Dialect(
    "mysql",
    Lexicon(
        rf"[xXbBnN]?{ESCAPED_TEXT}|\"(?:[^\"\\]|\"\"|\\.)*\"",
        quoted_names=BACKTICKED,
        comments=rf"--(?=\s|\Z)[^\n]*|\#[^\n]*|{BLOCK_COMMENT}",
    ),
    reading=frozenset(READING.split()),
    varying=frozenset(VARYING.split()),
    quote_mark="`",
    respell=_respell,
    exact_text="cast({} as char) collate utf8mb4_nopad_bin",
    drops_together=True,
)
