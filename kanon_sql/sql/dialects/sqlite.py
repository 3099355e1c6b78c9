"""SQLite."""

from __future__ import annotations

from sqlglot import exp

from kanon_sql.sql.dialects.dialect import BACKTICKED, DOUBLE_QUOTED, KEYED, PLAIN_TEXT, Dialect, Lexicon
from kanon_sql.sql.dialects.spelling import divide_integers, rename_collation
from kanon_sql.sql.dialects.sqlite_functions import READING, VARYING


def _respell(node: exp.Expr) -> exp.Expr:
    """Return an expression that sqlglot would spell in a way that means something else, or that is slow, in the right spelling."""
    match node:
        case exp.Subquery() if node.alias == KEYED:
            # Without a limit, here none, SQLite would merge it into the query around it and compute every key twice.
            node.this.set("limit", exp.Limit(expression=exp.Literal.number(-1)))
            return node
        case exp.Collate():
            # A cast would make one text of SQLite's 1, '1' and x'31'.
            text = node.this.this if isinstance(node.this, exp.Cast) else node.this
            return rename_collation(exp.Collate(this=text), "BINARY")
        case exp.IntDiv():
            return divide_integers(node, _respell)
        case exp.Rand():
            return _fraction(node)
        case exp.Chr():
            return exp.Anonymous(this="CHAR", expressions=node.expressions)
        case exp.Repeat():
            # SQLite repeats nothing, but it writes each of n zero bytes as 00.
            zeros = exp.Anonymous(this="HEX", expressions=[exp.Anonymous(this="ZEROBLOB", expressions=[node.args["times"]])])
            return exp.Anonymous(this="REPLACE", expressions=[zeros, exp.Literal.string("00"), node.this])
        case exp.Cast() if node.to.is_type("decimal", "date", "timestamp", "int128"):
            # Integers have 64 bits here and dates are text. A cast would convert an integer to floating point and a date to its year.
            return exp.Paren(this=node.this)
        case _:
            return node


def _fraction(random: exp.Rand) -> exp.Expr:
    """Return a random number between 0 and 1, as on other engines, from SQLite's random 64-bit integer."""
    return exp.Paren(
        this=exp.Add(
            this=exp.Div(this=random, expression=exp.Literal.number("18446744073709551616.0")), expression=exp.Literal.number("0.5")
        )
    )


SQLITE = Dialect(
    "sqlite",
    Lexicon(rf"[xX]?{PLAIN_TEXT}", quoted_names=rf"{DOUBLE_QUOTED}|{BACKTICKED}|\[[^\]]*\]", quotes_by_brackets=True),
    reading=frozenset(READING.split()),
    varying=frozenset(VARYING.split()),
    respell=_respell,
    exact_text="{} collate binary",
    draws_samples=True,
)
