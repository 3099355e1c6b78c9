"""Functions that SQL written by a user may call: listed per dialect, because no list of harmful functions is complete."""

from __future__ import annotations

from kanon_sql.sql.dialects import DIALECTS
from kanon_sql.sql.dialects import postgres_functions as postgres

EXTENSIONS = frozenset(postgres.EXTENSIONS.split())

# Words and types that a parenthesis may follow without being called.
_WORDS = """
all and any array as at between by case char character columns content cross cube day dec decimal default distinct div document else
enum escape except exclude exists filter float for from full group having if ignore ilike in inner intersect interval is isnull
join lateral left like limit list map match materialized minus mod nchar not notnull null number numeric nvarchar offset on or
order outer over overlaps partition passing pivot precision qualify real regexp rename replace respect returning right rlike rollup
row rows select separator sets similar some struct table then time timestamp timestamptz timetz to trim try_cast tuple union
unpivot using value values varbinary varbit varchar varying when where window with within xor zone bit binary cast datetime int
integer bigint smallint tinyint mediumint int2 int4 int8 text blob year double key keys path bpchar signed unsigned bernoulli
system repeatable
"""
_UNCALLED = frozenset(_WORDS.split())


def is_reading(name: str, dialect: str) -> bool:
    """Return whether a word before a parenthesis is a function known to only read, or no function at all."""
    return name.isascii() and (name.lower() in DIALECTS[dialect].reading or name.lower() in _UNCALLED)


def is_varying(name: str, dialect: str) -> bool:
    """Return whether a function gives another value at every call, whatever its arguments."""
    return name.isascii() and name.lower() in DIALECTS[dialect].varying
