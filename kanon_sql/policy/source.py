"""The source of a policy: a table, a view or a query."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator

from kanon_sql.common.checked import Checked
from kanon_sql.common.spelling import did_you_mean


class Query(Checked):
    """One SELECT in the database's dialect, in place of a table."""

    query: str

    def __str__(self) -> str:
        return "the query"  # its text may hold values, so no message repeats it


def _table_or_query(value: Any) -> Any:
    if isinstance(value, str | Query):
        return value
    if not isinstance(value, Mapping):
        raise ValueError("must be the name of a table or view, or {query: select …}")
    wrong = next((key for key in value if key != "query"), None)
    if wrong is not None:
        raise ValueError(f"unknown key {wrong!r}{did_you_mean(str(wrong), ['query'])}; allowed is query")
    return Query(query=_text(value.get("query")))


def _text(value: Any) -> Any:
    if value is not None and not (isinstance(value, str) and value.strip()):
        raise ValueError("must be SQL text")
    if value is None:
        raise ValueError("query: is missing")
    return value


Table = Annotated[str | Query, BeforeValidator(_table_or_query)]
Condition = Annotated[str, BeforeValidator(_text)]
