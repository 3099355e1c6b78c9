"""One run on one connection: its statements, its tables and its transaction."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Self, TypeVar

from kanon_sql.backends import Backend, Purpose, Row
from kanon_sql.errors import QueryError
from kanon_sql.sql import templates
from kanon_sql.tables import RowSource, SourceQuery
from kanon_sql.workspace.record import Record, StageListener
from kanon_sql.workspace.run_tables import PermanentTables, TemporaryTables
from kanon_sql.workspace.transaction import Transaction

_TEMPLATE_COMMENT = re.compile(r"^/\* kanon_sql (\S+) \*/$", re.MULTILINE)

Result = TypeVar("Result")


class Workspace:
    """One run: everything it creates is in one transaction where the engine has one, and is dropped at the end."""

    def __init__(self, backend: Backend, purpose: Purpose | None, listener: StageListener | None = None) -> None:
        self.backend = backend
        self.run_id = secrets.token_hex(4)
        self.record = Record(listener)
        self.tables = TemporaryTables(self)
        self.permanent = PermanentTables(self)
        self.transaction = Transaction(self)
        self._purpose = purpose

    def __enter__(self) -> Self:
        try:
            if self._purpose is not None:
                self.transaction.begin(self._purpose)
        except BaseException:
            self.backend.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self.transaction.end()
        except Exception:
            if error is None:
                raise
        finally:
            self.backend.close()

    def stage(self, name: str) -> AbstractContextManager[None]:
        """Count everything that runs inside for this stage."""
        return self.record.stage(name)

    def fetch(self, template: str, **arguments: Any) -> list[Row]:
        """Return the rows of a template's query."""
        sql = self.select(template, **arguments)
        if any(isinstance(value, SourceQuery) for value in arguments.values()):
            return self.perform(template, sql, lambda: _fetch_reading(self.backend, sql))
        return self.perform(template, sql, lambda: self.backend.fetch(sql))

    def fetch_one(self, template: str, **arguments: Any) -> Row:
        """Return the single row of a template's query."""
        (row,) = self.fetch(template, **arguments)
        return row

    def fetch_together(self, template: str, questions: Sequence[dict[str, Any]]) -> list[Row]:
        """Return the rows of a template's query for each set of arguments, asked in one statement."""
        sql = templates.render_together(template, self.backend.dialect, questions)
        return self.perform(template, sql, lambda: self.backend.fetch(sql))

    def fetch_comparison(self, template: str, query: str, sources: dict[str, RowSource]) -> Row:
        """Return the single row of a template over the results of a user's query on several tables."""
        from kanon_sql.sql.user_queries import render_comparison  # here, because it needs sqlglot, which is slow to import

        sql = render_comparison(template, self.backend.dialect, query, sources)
        (row,) = self.perform(template, sql, lambda: _fetch_reading(self.backend, sql))
        return row

    def look_up(self, template: str, parameters: Sequence[object]) -> list[Row]:
        """Return the rows of a catalog query, whose names are bound as parameters."""
        sql = templates.render(template, self.backend.dialect, {})
        return self.perform(template, sql, lambda: self.backend.fetch(sql, parameters))

    def select(self, template: str, /, **arguments: Any) -> str:
        """Return a template's query as text, to be part of a definition."""
        return templates.render(template, self.backend.dialect, arguments)

    def define(self, template: str, parameters: Sequence[object] = (), /, **arguments: Any) -> None:
        """Run a statement that creates, fills, renames or drops a table."""
        sql = self.text(template, **arguments)
        self.perform(_innermost_template(sql), sql, lambda: self.backend.run(sql, parameters))

    def text(self, template: str, /, **arguments: Any) -> str:
        """Return a definition as it would be run."""
        return templates.render_definition(template, self.backend.dialect, arguments)

    def name(self, what: str) -> str:
        """Return the name of a table or view of this run, which holds the run's id."""
        return f"__kanon_{self.run_id}_{what}"

    def perform(self, template: str, sql: str, action: Callable[[], Result]) -> Result:
        """Return the result of an action, recorded under a name; a driver's error becomes a QueryError."""
        try:
            with self.record.statement(template, sql):
                return action()
        except self.backend.driver_errors as error:
            reason = self.backend.explain(error)
        # Raised out here so the driver's error, whose text may hold values, is not chained to it.
        raise QueryError(f"statement {template} failed in stage {self.record.current}: {reason}", template=template, sql=sql)


def _fetch_reading(backend: Backend, sql: str) -> list[Row]:
    """Return the rows of a query with SQL of a user in it."""
    with backend.reader.read_only():
        return backend.fetch(sql)


def _innermost_template(sql: str) -> str:
    """Return the template that a statement is about: the one of its query, if it has one."""
    return str(_TEMPLATE_COMMENT.findall(sql)[-1])
