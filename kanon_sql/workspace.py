"""The one door to the database: renders, runs and records statements, and owns every table a run makes."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

from kanon_sql import templates
from kanon_sql.backends import Backend, Row
from kanon_sql.errors import QueryError
from kanon_sql.tables import Column, TableDescription, TableName

# Names are rendered with this mark and get the run's id last, so that every run finds the same cached texts.
_PREFIX = "__kanon_@_"


@dataclass(frozen=True)
class Statement:
    """One statement that was run."""

    stage: str
    template: str
    sql: str
    seconds: float


@dataclass(frozen=True)
class Stage:
    """How long a stage took, and how many statements it ran."""

    name: str
    seconds: float
    statements: int


Result = TypeVar("Result")
StageListener = Callable[[str, Stage | None], None]


def _ignore(name: str, stage: Stage | None) -> None:  # noqa: ARG001 (a listener's arguments)
    """Listens to nothing."""


class Workspace:
    """One run on one connection: everything it makes stands in one transaction and is gone afterwards."""

    def __init__(self, backend: Backend, *, writes: bool, listener: StageListener | None = None) -> None:
        self.backend = backend
        self.run_id = secrets.token_hex(4)
        self.statements: list[Statement] = []
        self.stages: list[Stage] = []
        self._writes = writes
        self._listener = listener or _ignore
        self._stage = "connect"
        self._made: list[str] = []

    def __enter__(self) -> Self:
        self.backend.begin(writes=self._writes)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self.backend.rollback()
            for table in reversed(self._made):
                self._send("ddl/drop_table_if_exists", {"table": table})
        except Exception:
            if error is None:
                raise
        finally:
            self.backend.close()

    def commit(self) -> None:
        """Makes what the run published visible."""
        self._timed("commit", "commit", self.backend.commit)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Everything run inside counts for this stage."""
        before, started, self._stage = len(self.statements), time.perf_counter(), name
        self._listener(name, None)
        yield
        stage = Stage(name, time.perf_counter() - started, len(self.statements) - before)
        self.stages.append(stage)
        self._listener(name, stage)

    def fetch(self, template: str, /, **arguments: Any) -> list[Row]:
        """The rows a template's query returns."""
        sql = self._finish(templates.render(template, self.backend.dialect, arguments))
        return self._timed(template, sql, lambda: self.backend.fetch(sql))

    def fetch_one(self, template: str, /, **arguments: Any) -> Row:
        """The single row a template's query returns."""
        (row,) = self.fetch(template, **arguments)
        return row

    def create(self, what: str, template: str, /, **arguments: Any) -> str:
        """A temporary table of this run, filled by a template's query."""
        table = _PREFIX + what
        select = templates.render(template, self.backend.dialect, arguments)
        self._made.append(table)
        self._send("ddl/create_temporary_table_as", {"table": table, "select": select}, name=template)
        return table

    def load(self, what: str, columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> str:
        """A temporary table of this run, filled with rows as bound parameters."""
        table = _PREFIX + what
        self._made.append(table)
        self._send("ddl/create_temporary_table", {"table": table, "columns": columns})
        size = max(1, self.backend.max_parameters // len(columns))
        for start in range(0, len(rows), size):
            chunk = rows[start : start + size]
            self._send(
                "ddl/insert_rows",
                {"table": table, "columns": columns, "rows": len(chunk), "placeholder": self.backend.placeholder},
                parameters=[self.backend.bindable(value) for row in chunk for value in row],
            )
        return table

    def materialize(self, table: TableName, template: str, /, **arguments: Any) -> None:
        """A lasting table, filled by a template's query."""
        select = templates.render(template, self.backend.dialect, arguments)
        self._send("ddl/create_table_as", {"table": table, "select": select}, name=template)

    def stage_table(self, target: TableName, columns: Sequence[Column], template: str, /, **arguments: Any) -> TableName:
        """The staged table beside the target: these columns, filled by a template's query."""
        staged = target.sibling(_PREFIX + "staged")
        select = templates.render(template, self.backend.dialect, arguments)
        self._send("ddl/create_table", {"table": staged, "columns": columns})
        self._send("ddl/insert_select", {"table": staged, "columns": columns, "select": select}, name=template)
        return staged

    def rename(self, table: TableName, to: TableName) -> None:
        """Gives a table its final name in the same schema."""
        self._send("ddl/rename_table", {"table": table, "to": to.table})

    def drop(self, table: TableName) -> None:
        """Drops a table."""
        self._send("ddl/drop_table", {"table": table})

    def resolve(self, name: TableName) -> tuple[TableName, bool] | None:
        """The full name of the table or view a name means, and whether it is a table."""
        rows = self._catalog("table", _padded(name))
        if not rows:
            return None
        *parts, is_table = rows[0]
        return TableName(tuple(part for part in parts if part is not None)), bool(is_table)

    def describe(self, name: TableName) -> TableDescription:
        """What the catalog says of a table or view, given its full name."""
        key = _padded(name)
        columns = tuple(
            Column(column, type_name, self.backend.kind_of(type_name), bool(nullable))
            for column, type_name, nullable in self._catalog("columns", key)
        )
        unique = frozenset(row[0] for row in self._catalog("unique_columns", key))
        return TableDescription(name, columns, unique)

    def table_names(self) -> list[str]:
        """The tables a user may have meant."""
        return [row[0] for row in self._catalog("tables", ())]

    def _catalog(self, what: str, parameters: Sequence[object]) -> list[Row]:
        sql = templates.render(f"catalog/{what}", self.backend.dialect, {})
        return self._timed(f"catalog/{what}", sql, lambda: self.backend.fetch(sql, parameters))

    def _send(
        self, template: str, arguments: dict[str, Any], *, parameters: Sequence[object] = (), name: str | None = None
    ) -> None:
        sql = self._finish(templates.render_definition(template, self.backend.dialect, arguments))
        self._timed(name or template, sql, lambda: self.backend.run(sql, parameters))

    def _finish(self, sql: str) -> str:
        return sql.replace(_PREFIX, f"__kanon_{self.run_id}_")

    def _timed(self, template: str, sql: str, action: Callable[[], Result]) -> Result:
        started = time.perf_counter()
        try:
            return action()
        except self.backend.driver_errors as error:
            reason = self.backend.explain(error)
            raise QueryError(f"statement {template} failed in stage {self._stage}: {reason}", template=template, sql=sql) from None
        finally:
            self.statements.append(Statement(self._stage, template, sql, time.perf_counter() - started))


def _padded(name: TableName) -> tuple[str | None, ...]:
    """Database, schema and table, None where the name does not say."""
    unsaid: tuple[str | None, ...] = (None,) * (3 - len(name.parts))
    return unsaid + name.parts
