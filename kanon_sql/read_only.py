"""Proves that SQL which a user wrote only reads, as far as its text can tell."""

from __future__ import annotations

import re
from dataclasses import dataclass

import sqlglot
from sqlglot import exp

from kanon_sql.errors import RequestError
from kanon_sql.tables import TableName

# Functions that change, lock, wait or reach outside; of PostgreSQL's own all, since many of them do.
_ACTING = re.compile(
    r"pg_\w+|lo_\w+|dblink\w*|nextval|setval|lastval|next_value_for|set_config|query_to_xml\w*|txid_current|"
    r"load_extension|load_file|writefile|edit|fts3_tokenizer|get_lock|release_lock|release_all_locks|sleep|benchmark|"
    r"master_\w+_wait|sys_exec|sys_eval|query|query_table|getenv|getvariable",
    re.IGNORECASE,
)
# Comments that MariaDB runs.
_RUN_COMMENT = re.compile(r"/\*M?!")
_ENDS = re.compile(r"[\s;]+\Z")


@dataclass(frozen=True)
class ReadOnly:
    """A text that may stand in a statement, and the tables and views it mentions."""

    text: str
    tables: tuple[TableName, ...]


def read_only_statement(text: str, dialect: str, where: str) -> exp.Expr:
    """The one statement that a text holds, proven to change nothing."""
    statement = _parse(text, dialect, where)
    _tables(statement, where)
    return statement


def read_only_query(text: str, dialect: str, where: str) -> ReadOnly:
    """The query, proven to be one SELECT; an error names its place in the policy and repeats nothing of it."""
    statement = _parse(_ENDS.sub("", text), dialect, where)
    if not isinstance(statement, exp.Query):
        raise RequestError(f"{where}: must be one SELECT; a source is only read")
    names = [name.casefold() for name in statement.named_selects if name != "*"]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise RequestError(f"{where}: two columns are called {twice!r}; give each a name of its own")
    return ReadOnly(_ENDS.sub("", text), _tables(statement, where))


def read_only_condition(text: str, dialect: str, where: str) -> ReadOnly:
    """The condition, proven to be one expression."""
    select = _parse(f"select 1 where (\n{text}\n)", dialect, where)
    found = select.args.get("where")
    beside = [key for key, value in select.args.items() if value and key not in ("where", "expressions", "kind")]
    if not isinstance(select, exp.Select) or beside or found is None or not isinstance(found.this, exp.Paren):
        raise RequestError(f"{where}: must be one condition, such as age >= 18 and region = 'north'")
    if isinstance(found.this.this, exp.Query):
        raise RequestError(f"{where}: must be a condition, not a query")
    return ReadOnly(text, _tables(select, where))


def _parse(text: str, dialect: str, where: str) -> exp.Expr:
    if _RUN_COMMENT.search(text):
        raise RequestError(f"{where}: holds a comment that begins with ! and that some databases run; leave it out")
    try:
        statements = [statement for statement in sqlglot.parse(text, read=dialect) if statement is not None]
    except sqlglot.errors.ParseError as error:
        line = next((f" (line {problem['line']} of it)" for problem in error.errors if problem.get("line")), "")
        raise RequestError(f"{where}: cannot be read as SQL of this database{line}") from None
    except sqlglot.errors.SqlglotError:
        raise RequestError(f"{where}: cannot be read as SQL of this database") from None
    if len(statements) != 1:
        raise RequestError(f"{where}: must be one statement, and {len(statements)} are given")
    return statements[0]


def _tables(statement: exp.Expr, where: str) -> tuple[TableName, ...]:
    """The tables and views a statement reads, or an error if it may do more than read."""
    for node in statement.walk():
        if isinstance(node, exp.DML | exp.DDL | exp.Command) and not isinstance(node, exp.Query):
            raise RequestError(f"{where}: holds a statement that changes something; it may only read")
        if isinstance(node, exp.Into | exp.Lock):
            raise RequestError(f"{where}: select … into and select … for update do more than read; leave that out")
        if isinstance(node, exp.Placeholder | exp.Parameter | exp.SessionParameter | exp.PropertyEQ):
            raise RequestError(f"{where}: holds a parameter or a variable, which has no value here; write the value itself")
        if isinstance(node, exp.Func):
            name = node.name if isinstance(node, exp.Anonymous) else node.sql_name()
            if _ACTING.fullmatch(name):
                raise RequestError(f"{where}: the function {name.lower()} may do more than read, so that it cannot be used here")
    names = (tuple(part.name for part in table.parts) for table in statement.find_all(exp.Table))
    return tuple(dict.fromkeys(TableName(parts) for parts in names if all(parts)))
