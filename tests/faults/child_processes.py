"""Child processes that may be killed, forked from a process that has imported everything and never opened a database."""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import pytest

from kanon_sql.sql import templates, translation

PATIENCE = 120  # seconds


@dataclass
class Rehearsed:
    """The templates and the SQL texts that a run used, each with its dialect."""

    spelled: dict[tuple[str, str], None] = field(default_factory=dict)
    filled: dict[tuple[str, str], None] = field(default_factory=dict)

    def repeat(self) -> None:
        """Read the templates and translate the texts in this process."""
        for path, dialect in self.filled:
            templates._environment(dialect).get_template(path)
        for text, dialect in self.spelled:
            translation.translate(text, dialect)


class Nursery:
    """Runs tasks in forked child processes and returns how they ended."""

    def __init__(self, rehearsed: Rehearsed) -> None:
        context = multiprocessing.get_context("spawn")
        self._line, far_end = context.Pipe()
        self._nurse = context.Process(target=_nurse, args=(far_end, rehearsed), daemon=True)
        self._nurse.start()
        far_end.close()

    def perform(self, task: Callable[[], object]) -> int:
        """Run a task in a child process; return the signal that ended it, or 0 if it completed."""
        self._line.send(task)
        child = self._line.recv()
        if not self._line.poll(PATIENCE):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            self._line.recv()
            raise AssertionError("the child hung")
        ended = os.waitstatus_to_exitcode(self._line.recv())
        assert ended <= 0, "the child failed by itself"
        return -ended

    def close(self) -> None:
        """Stop the forking process."""
        self._line.send(None)
        self._nurse.join()
        self._nurse.close()
        self._line.close()


def _nurse(line: Connection, rehearsed: Rehearsed) -> None:
    """Prepare for any run once, then fork: no driver was used in this process, so no driver thread is missing in a child."""
    import faults.outcome_checks  # noqa: F401 (all that a child needs)

    import kanon_sql.backends.mariadb
    import kanon_sql.backends.postgresql
    import kanon_sql.backends.sqlite
    import kanon_sql.commands.anonymize  # noqa: F401

    rehearsed.repeat()
    while task := line.recv():
        child = os.fork()
        if child == 0:
            _live(task)
        line.send(child)
        line.send(os.waitpid(child, 0)[1])


def _live(task: Callable[[], object]) -> None:
    """Run a task and exit."""
    try:
        task()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


@contextmanager
def nursery(rehearse: Callable[[], object]) -> Iterator[Nursery]:
    """Start child processes for runs that use the same templates as the rehearsal."""
    rehearsed = Rehearsed()
    translate, fill = translation._translate, templates._fill

    def noted_text(text: str, dialect: str) -> str:
        rehearsed.spelled[text, dialect] = None
        return translate(text, dialect)

    def noted_template(path: str, dialect: str, arguments: dict[str, Any]) -> str:
        rehearsed.filled[path, dialect] = None
        return fill(path, dialect, arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(translation, "_translate", noted_text)
        patch.setattr(templates, "_fill", noted_template)
        rehearse()
    found = Nursery(rehearsed)
    try:
        yield found
    finally:
        found.close()
