"""PostgreSQL."""

from __future__ import annotations

from sqlglot import exp

from kanon_sql.sql.dialects.dialect import DOLLAR_TEXT, ESCAPED_TEXT, PLAIN_TEXT, Dialect, Lexicon
from kanon_sql.sql.dialects.postgres_functions import READING, VARYING
from kanon_sql.sql.dialects.spelling import divide_integers, widen_to_decimal


def _respell(node: exp.Expr) -> exp.Expr:
    """Return an expression that sqlglot would spell in a way that means something else, in the right spelling."""
    match node:
        case exp.IntDiv():
            return divide_integers(node, _respell)
        case exp.Cast():
            return widen_to_decimal(node)
        case _:
            return node


POSTGRES = Dialect(
    "postgres",
    Lexicon(rf"[eE]{ESCAPED_TEXT}|[xXbBnN]?{PLAIN_TEXT}|{DOLLAR_TEXT}", has_unicode_escapes=True),
    reading=frozenset(READING.split()),
    varying=frozenset(VARYING.split()),
    respell=_respell,
    function_schemas=("pg_catalog",),
    drops_together=True,
    draws_samples=True,
    repeats_samples=True,
)
