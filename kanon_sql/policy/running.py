"""Settings of a run: permissions on the release, the user's statements before and after, timeouts."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_serializer

from kanon_sql.common.checked import Checked
from kanon_sql.common.durations import seconds_of


def _list(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _statements(value: Any) -> Any:
    statements = _list(value)
    if not isinstance(statements, list | tuple) or not all(isinstance(text, str) and text.strip() for text in statements):
        raise ValueError("must be an SQL statement, or a list of SQL statements")
    return tuple(statements)


def _seconds(value: Any) -> Any:
    return None if value is None else seconds_of(value)


Hook = Annotated[tuple[str, ...], BeforeValidator(_statements)]
Timeout = Annotated[float | None, BeforeValidator(_seconds)]
Role = Annotated[str, Field(min_length=1)]


class Grants(Checked):
    """The roles that may read the release."""

    select: Annotated[tuple[Role, ...], BeforeValidator(_list)] = ()

    @model_serializer
    def _short(self) -> dict[str, list[str]]:
        return {"select": list(self.select)}
