"""The one door to the database: renders, runs and records statements, and owns every table a run makes."""

from __future__ import annotations

import re
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
from kanon_sql.tables import Column, TableName

# Names are rendered with this mark and get the run's id last, so that every run finds the same cached texts.
_PREFIX = "__kanon_@_"
_TEMPLATE_COMMENT = re.compile(r"^/\* kanon_sql (\S+) \*/$", re.MULTILINE)


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


def _ignore(name: str, stage: Stage | None) -> None:
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
            self._drop_made()
        except Exception:
            if error is None:
                raise
        finally:
            self.backend.close()

    def commit(self) -> None:
        """Drops the run's own tables and makes what it published visible: the last thing a run does."""
        self._drop_made()
        self._timed("commit", "commit", self.backend.commit)

    def _drop_made(self) -> None:
        while self._made:
            self.define("ddl/drop_table_if_exists", table=self._made[-1])
            self._made.pop()

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
        sql = self._finish(self.select(template, **arguments))
        return self._timed(template, sql, lambda: self.backend.fetch(sql))

    def fetch_one(self, template: str, /, **arguments: Any) -> Row:
        """The single row a template's query returns."""
        (row,) = self.fetch(template, **arguments)
        return row

    def create(self, what: str, template: str, /, **arguments: Any) -> str:
        """A temporary table of this run, filled by a template's query."""
        table = _PREFIX + what
        self._made.append(table)
        self.define("ddl/create_temporary_table_as", table=table, select=self.select(template, **arguments))
        return table

    def forget(self, *tables: str) -> None:
        """Drops tables of this run that nothing needs any more: memory for what comes."""
        for table in tables:
            self.define("ddl/drop_table_if_exists", table=table)
            self._made.remove(table)

    def load(self, what: str, columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> str:
        """A temporary table of this run, filled with rows as bound parameters."""
        table = _PREFIX + what
        self._made.append(table)
        self.define("ddl/create_temporary_table", table=table, columns=columns)
        size = max(1, self.backend.max_parameters // len(columns))
        for start in range(0, len(rows), size):
            chunk = rows[start : start + size]
            parameters = [self.backend.bindable(value) for row in chunk for value in row]
            shape = {"rows": len(chunk), "placeholder": self.backend.placeholder}
            self.define("ddl/insert_rows", parameters, table=table, columns=columns, **shape)
        return table

    def stage_table(self, target: TableName, columns: Sequence[Column], template: str, /, **arguments: Any) -> TableName:
        """The staged table beside the target: these columns, filled by a template's query."""
        staged = target.sibling(_PREFIX + "staged")
        self.define("ddl/create_table", table=staged, columns=columns)
        self.define("ddl/insert_select", table=staged, columns=columns, select=self.select(template, **arguments))
        return staged

    def define(self, template: str, parameters: Sequence[object] = (), /, **arguments: Any) -> None:
        """Runs a statement that makes, fills, renames or drops a table."""
        sql = self._finish(templates.render_definition(template, self.backend.dialect, arguments))
        self._timed(_innermost_template(sql), sql, lambda: self.backend.run(sql, parameters))

    def look_up(self, template: str, parameters: Sequence[object]) -> list[Row]:
        """The rows of a catalog query, whose names are bound as parameters."""
        sql = templates.render(template, self.backend.dialect, {})
        return self._timed(template, sql, lambda: self.backend.fetch(sql, parameters))

    def select(self, template: str, /, **arguments: Any) -> str:
        """A template's query as text, to be part of a definition."""
        return templates.render(template, self.backend.dialect, arguments)

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


def _innermost_template(sql: str) -> str:
    """The template a statement is about: its query's, if it has one."""
    return str(_TEMPLATE_COMMENT.findall(sql)[-1])
