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

TIMEOUT = 120  # seconds


@dataclass
class Rehearsal:
    """The templates and the SQL texts that a run used, each with its dialect."""

    spelled: dict[tuple[str, str], None] = field(default_factory=dict)
    filled: dict[tuple[str, str], None] = field(default_factory=dict)

    def repeat(self) -> None:
        """Read the templates and translate the texts in this process."""
        for path, dialect in self.filled:
            templates._environment(dialect).get_template(path)
        for text, dialect in self.spelled:
            translation.translate(text, dialect)


class ChildProcesses:
    """Runs tasks in forked child processes and returns how they ended."""

    def __init__(self, rehearsal: Rehearsal) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, child_end = context.Pipe()
        self._forker = context.Process(target=_fork_children, args=(child_end, rehearsal), daemon=True)
        self._forker.start()
        child_end.close()

    def perform(self, task: Callable[[], object]) -> int:
        """Run a task in a child process; return the signal that ended it, or 0 if it completed."""
        self._pipe.send(task)
        child = self._pipe.recv()
        if not self._pipe.poll(TIMEOUT):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            self._pipe.recv()
            raise AssertionError("the child hung")
        ended = os.waitstatus_to_exitcode(self._pipe.recv())
        assert ended <= 0, "the child failed by itself"
        return -ended

    def close(self) -> None:
        """Stop the forking process."""
        self._pipe.send(None)
        self._forker.join()
        self._forker.close()
        self._pipe.close()


def _fork_children(line: Connection, rehearsal: Rehearsal) -> None:
    """Prepare for any run once, then fork: no driver was used in this process, so no driver thread is missing in a child."""
    import faults.outcome_checks  # noqa: F401 (all that a child needs)

    import kanon_sql.backends.mariadb
    import kanon_sql.backends.postgresql
    import kanon_sql.backends.sqlite
    import kanon_sql.commands.anonymize  # noqa: F401

    rehearsal.repeat()
    while task := line.recv():
        child = os.fork()
        if child == 0:
            _run_and_exit(task)
        line.send(child)
        line.send(os.waitpid(child, 0)[1])


def _run_and_exit(task: Callable[[], object]) -> None:
    """Run a task and exit."""
    try:
        task()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


@contextmanager
def child_processes(rehearse: Callable[[], object]) -> Iterator[ChildProcesses]:
    """Start child processes for runs that use the same templates as the rehearsal."""
    rehearsal = Rehearsal()
    translate, fill = translation._translate, templates._fill

    def record_text(text: str, dialect: str) -> str:
        rehearsal.spelled[text, dialect] = None
        return translate(text, dialect)

    def record_template(path: str, dialect: str, arguments: dict[str, Any]) -> str:
        rehearsal.filled[path, dialect] = None
        return fill(path, dialect, arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(translation, "_translate", record_text)
        patch.setattr(templates, "_fill", record_template)
        rehearse()
    found = ChildProcesses(rehearsal)
    try:
        yield found
    finally:
        found.close()
