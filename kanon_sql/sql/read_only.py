"""Proves that SQL which a user wrote only reads: it is one SELECT that calls listed functions only.

The text is split by the strict rules of its dialect, the parser must find the same literals and names in it, and what the database
gets is the text that was checked. The part of the proof that needs the catalog is in `volatility`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import sqlglot
from sqlglot import TokenType, exp

from kanon_sql.errors import RequestError
from kanon_sql.sql.dialects import DIALECTS
from kanon_sql.sql.functions import is_reading, is_varying
from kanon_sql.sql.tokens import Call, Token, UnclearText, calls, joined, quoted_spans, split
from kanon_sql.sql.view_texts import draws_sample, follow, words_of
from kanon_sql.tables import TableName

_QUOTED = frozenset(
    {
        TokenType.STRING, TokenType.IDENTIFIER, TokenType.BYTE_STRING, TokenType.BIT_STRING, TokenType.HEX_STRING,
        TokenType.HEREDOC_STRING, TokenType.NATIONAL_STRING, TokenType.RAW_STRING, TokenType.UNICODE_STRING,
    }
)  # fmt: skip

_BEGINNING = re.compile(r"[(\s]*(?:select|with|from|values|table)\b", re.IGNORECASE)


@dataclass(frozen=True)
class ReadOnly:
    """A text that may be part of a statement, the tables and views it mentions, and the functions it calls."""

    text: str
    tables: tuple[TableName, ...]
    functions: frozenset[str]


def read_only_statement(text: str, dialect: str, where: str) -> exp.Expr:
    """Return the one statement of a text, proven to change nothing."""
    tokens = _tokens(text, dialect, where)
    statement = _parse(tokens, dialect, where)
    _prove(tokens, statement, dialect, where)
    return statement


def read_only_query(text: str, dialect: str, where: str) -> ReadOnly:
    """Return the query, proven to be one SELECT; an error names its key in the policy and repeats nothing of it."""
    tokens = _tokens(text, dialect, where)
    statement = _parse(tokens, dialect, where)
    if not isinstance(statement, exp.Query):
        raise RequestError(f"{where}: must be one SELECT; a source is only read")
    names = [name.casefold() for name in statement.named_selects if name != "*"]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise RequestError(f"{where}: two columns are called {twice!r}; give each column a different name")
    return _prove(tokens, statement, dialect, where)


def read_only_condition(text: str, dialect: str, where: str) -> ReadOnly:
    """Return the condition, proven to be one expression."""
    tokens = _tokens(text, dialect, where)
    select = _parse((*split("select 1 where (\n", dialect), *tokens, *split("\n)", dialect)), dialect, where)
    found = select.args.get("where")
    others = [key for key, value in select.args.items() if value and key not in ("where", "expressions", "kind")]
    if not isinstance(select, exp.Select) or others or found is None or not isinstance(found.this, exp.Paren):
        raise RequestError(f"{where}: must be one condition, such as age >= 18 and region = 'north'")
    if not isinstance(found.this.this, exp.Condition):
        raise RequestError(f"{where}: must be a condition, not a query or anything else")
    return _prove(tokens, select, dialect, where)


def _tokens(text: str, dialect: str, where: str) -> tuple[Token, ...]:
    """Return the tokens of a text without white space and semicolons at its ends."""
    try:
        tokens = list(split(text, dialect))
    except UnclearText as doubt:
        raise RequestError(f"{where}: {doubt}") from None
    while tokens and (tokens[-1].kind == "gap" or tokens[-1].text == ";"):
        tokens.pop()
    while tokens and tokens[0].kind == "gap":
        tokens.pop(0)
    return tuple(tokens)


def _prove(tokens: tuple[Token, ...], statement: exp.Expr, dialect: str, where: str) -> ReadOnly:
    """Return what a text reads and calls; raise an error if it may do more than read, or may give other rows the next time."""
    tables, called, words = _tables(statement, where), list(calls(tokens)), words_of(tokens)
    for call in called:
        _require_reading(call, dialect, where)
    if "into" in words:
        raise RequestError(f"{where}: select … into does more than read; leave that out")
    if follow(words, "value", "for"):
        raise RequestError(f"{where}: takes a number from a sequence, which changes it; leave that out")
    if draws_sample(words, dialect):
        raise RequestError(
            f"{where}: reads a random sample, which is another one every time, and the source is read more than once. "
            "Copy the sample into a table first, and name that table as the source"
        )
    return ReadOnly(joined(tokens), tables, frozenset(call.name.casefold() for call in called))


def _require_reading(call: Call, dialect: str, where: str) -> None:
    """Raise an error unless a function is known to only read and to give the same value again."""
    if is_varying(call.name, dialect):
        raise RequestError(
            f"{where}: the function {call.name.lower()} gives another value every time, and the source is read more than once. "
            "Copy the rows into a table first, and name that table as the source"
        )
    schemas = DIALECTS[dialect].function_schemas
    unlisted = call.qualifier is not None and schemas is not None and call.qualifier not in schemas
    if unlisted or not is_reading(call.name, dialect):
        raise RequestError(
            f"{where}: the function {call.name.lower()} is not known to only read, so it cannot be used here. "
            "If it only reads, create a view that uses it, and name the view as the source"
        )


def _parse(tokens: tuple[Token, ...], dialect: str, where: str) -> exp.Expr:
    """Return the one statement of tokens; only a possible SELECT is parsed, because the parser logs texts that it does not know."""
    text = joined(tokens)
    parts = [part for part in joined([token for token in tokens if token.kind not in ("quoted", "string")]).split(";") if part.strip()]
    if len(parts) != 1:
        raise RequestError(f"{where}: must be one statement, and {len(parts)} were found")
    if not _BEGINNING.match(text):
        raise RequestError(f"{where}: must be one SELECT; it may only read")
    try:
        seen = sqlglot.tokenize(text, read=dialect)
        statements = [statement for statement in sqlglot.parse(text, read=dialect) if statement is not None]
    except sqlglot.errors.ParseError as error:
        line = next((f" (line {problem['line']} of it)" for problem in error.errors if problem.get("line")), "")
        raise RequestError(f"{where}: cannot be read as SQL of this database{line}") from None
    except sqlglot.errors.SqlglotError:
        raise RequestError(f"{where}: cannot be read as SQL of this database") from None
    if [(token.start, token.end + 1) for token in seen if token.token_type in _QUOTED] != quoted_spans(tokens):
        raise RequestError(f"{where}: holds a text or a quoted name that cannot be read without doubt; write it in plain quotes")
    if len(statements) != 1:
        raise RequestError(f"{where}: must be one statement, and {len(statements)} were found")
    return statements[0]


def _tables(statement: exp.Expr, where: str) -> tuple[TableName, ...]:
    """Return the tables and views that a statement reads; raise an error if it may do more than read."""
    for node in statement.walk():
        if isinstance(node, exp.DML | exp.DDL | exp.Command | exp.Describe | exp.Summarize | exp.Pragma) and not isinstance(
            node, exp.Query
        ):
            raise RequestError(f"{where}: holds a statement that changes something; it may only read")
        if isinstance(node, exp.Into | exp.Lock):
            raise RequestError(f"{where}: select … into and select … for update do more than read; leave that out")
        if isinstance(node, exp.Placeholder | exp.Parameter | exp.SessionParameter) or _assigns(node):
            raise RequestError(f"{where}: holds a parameter or a variable, which has no value here; write the value itself")
    names = (tuple(part.name for part in table.parts) for table in statement.find_all(exp.Table))
    return tuple(dict.fromkeys(TableName(parts) for parts in names if all(parts)))


def _assigns(node: exp.Expr) -> bool:
    """Return whether a node sets a variable; DuckDB writes the names of arguments and fields in the same way."""
    return isinstance(node, exp.PropertyEQ) and not isinstance(node.parent, exp.Func)
