"""Renders, runs, times and records the statements of a run."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from kanon_sql.backends import Backend, Row
from kanon_sql.errors import QueryError
from kanon_sql.sql import templates
from kanon_sql.sql.user_queries import render_comparison
from kanon_sql.tables import TableName

# Names are rendered with this mark, which no user can have chosen, and get the run's id last: every run finds the same cached texts.
PREFIX = f"__kanon_{secrets.token_hex(8)}_"
_TEMPLATE_COMMENT = re.compile(r"^/\* kanon_sql (\S+) \*/$", re.MULTILINE)

Result = TypeVar("Result")


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


StageListener = Callable[[str, Stage | None], None]

# What a listener is told of a swap that was stopped, once it is known what became of it; and of a scrub that is complete.
DONE, UNDONE, ERASED = "swap: done", "swap: undone", "scrub: erased"


class ReleaseProgress:
    """How far a release has come, as a listener hears it."""

    begun = published = erased = False

    def hear(self, name: str, stage: Stage | None) -> None:
        """Note what a listener is told."""
        self.begun = name == "swap" or (self.begun and name != UNDONE)
        self.published = self.published or name == DONE or (name == "swap" and stage is not None)
        self.erased = self.erased or name == ERASED


def _ignore(name: str, stage: Stage | None) -> None:
    """Listens to nothing."""


class StatementRunner:
    """Runs templates on a backend and keeps a record of every statement."""

    def __init__(self, backend: Backend, listener: StageListener | None = None) -> None:
        self.backend = backend
        self.run_id = secrets.token_hex(4)
        self.statements: list[Statement] = []
        self.stages: list[Stage] = []
        self._listener = listener or _ignore
        self._stage = "connect"
        self._queries: dict[str, str] = {}  # by the quoted name that stands for it

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Everything run inside counts for this stage."""
        before, started, self._stage = len(self.statements), time.perf_counter(), name
        self._listener(name, None)
        yield
        stage = Stage(name, time.perf_counter() - started, len(self.statements) - before)
        self.stages.append(stage)
        self._listener(name, stage)

    def tell(self, progress: str) -> None:
        """Says how far the present stage has come."""
        self._listener(f"{self._stage}: {progress}", None)

    def fetch(self, template: str, **arguments: Any) -> list[Row]:
        """The rows a template's query returns."""
        text = self.select(template, **arguments)
        sql = self.finished(text)
        if any(name in text for name in self._queries):
            return self.perform(template, sql, lambda: _fetch_reading(self.backend, sql))
        return self.perform(template, sql, lambda: self.backend.fetch(sql))

    def fetch_together(self, template: str, questions: Sequence[dict[str, Any]]) -> list[Row]:
        """The rows of a template's query for each set of arguments, asked in one statement."""
        sql = self.finished(templates.render_together(template, self.backend.dialect, questions))
        return self.perform(template, sql, lambda: self.backend.fetch(sql))

    def fetch_one(self, template: str, **arguments: Any) -> Row:
        """The single row a template's query returns."""
        (row,) = self.fetch(template, **arguments)
        return row

    def fetch_comparison(self, template: str, query: str, tables: dict[str, TableName]) -> Row:
        """The single row of a template over the results of a user's query on several tables."""
        sql = render_comparison(template, self.backend.dialect, query, tables)
        (row,) = self.perform(template, sql, lambda: _fetch_reading(self.backend, sql))
        return row

    def look_up(self, template: str, parameters: Sequence[object]) -> list[Row]:
        """The rows of a catalog query, whose names are bound as parameters."""
        sql = templates.render(template, self.backend.dialect, {})
        return self.perform(template, sql, lambda: self.backend.fetch(sql, parameters))

    def select(self, template: str, /, **arguments: Any) -> str:
        """A template's query as text, to be part of a definition."""
        return templates.render(template, self.backend.dialect, arguments)

    def define(self, template: str, parameters: Sequence[object] = (), /, **arguments: Any) -> None:
        """Runs a statement that makes, fills, renames or drops a table."""
        sql = self.text(template, **arguments)
        self.perform(_innermost_template(sql), sql, lambda: self.backend.run(sql, parameters))

    def text(self, template: str, /, **arguments: Any) -> str:
        """A definition as it would be run."""
        return self.finished(templates.render_definition(template, self.backend.dialect, arguments))

    def finished(self, sql: str) -> str:
        """A text or name with the run's own id in it, and queries in place of the names that stand for them."""
        for name, query in self._queries.items():
            sql = sql.replace(name, f"(\n{query}\n)")
        return sql.replace(PREFIX, f"__kanon_{self.run_id}_")

    def stand_for(self, query: str) -> TableName:
        """A name that stands for a query, spelled in the database's own dialect, wherever a template reads a table."""
        name = f"{PREFIX}source_{len(self._queries) + 1}"
        self._queries[templates.quote(name, self.backend.dialect)] = query
        return TableName((name,))

    def perform(self, template: str, sql: str, action: Callable[[], Result]) -> Result:
        """What an action gives, timed and recorded under a name; a driver's error becomes ours."""
        started = time.perf_counter()
        try:
            return action()
        except self.backend.driver_errors as error:
            reason = self.backend.explain(error)
        finally:
            self.statements.append(Statement(self._stage, template, sql, time.perf_counter() - started))
        # Raised out here so that the driver's error, whose text may hold values, is not chained to it.
        raise QueryError(f"statement {template} failed in stage {self._stage}: {reason}", template=template, sql=sql)


def _fetch_reading(backend: Backend, sql: str) -> list[Row]:
    """Return the rows of a query with SQL of a user in it."""
    with backend.reading():
        return backend.fetch(sql)


def _innermost_template(sql: str) -> str:
    """The template a statement is about: its query's, if it has one."""
    return str(_TEMPLATE_COMMENT.findall(sql)[-1])
