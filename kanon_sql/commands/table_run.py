"""A run on the table that it publishes, and what the history records about it."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field

from kanon_sql.artifacts import Earlier, Recoding
from kanon_sql.commands.pipeline import Solved
from kanon_sql.errors import KanonError
from kanon_sql.policy import Policy
from kanon_sql.report.privacy import reached_to_dict
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import resolve
from kanon_sql.workspace.history import FAILED, RELEASED, HistoryEntry, history_table, now, record_run

LONGEST_REASON = 1000  # characters


@dataclass(frozen=True)
class TableRun:
    """A run, the table that it publishes, and when it began."""

    workspace: Workspace
    policy: Policy
    table: TableName
    started: str = field(default_factory=now)
    clock: float = field(default_factory=time.monotonic)

    @property
    def history(self) -> TableName:
        """Return the name of the history."""
        return history_table(self.table)

    def is_recorded(self) -> bool:
        """Return whether the run belongs in the history: the policy asks for it, or leaves it open and the history exists."""
        publish = self.policy.publish
        return publish.keeps_history or (publish.history and resolve(self.workspace, self.history) is not None)

    def record_release(self, solved: Solved) -> None:
        """Record the run in the history as published."""
        recoding = solved.recoding
        k, utility = json.dumps(recoding.smallest_class), json.dumps(solved.utility)
        self._record(RELEASED, summarize(self.policy, solved).to_json(), k, utility, recoding)

    def record_failure(self, stopped: BaseException) -> None:
        """Record the run in the history as failed, with the reason."""
        self._record(FAILED, json.dumps({"reason": _reason(stopped)}), "null", "null", None)

    def _record(self, status: str, solution: str, k: str, utility: str, recoding: Recoding | None) -> None:
        counts: tuple[object, ...] = ("null",) * 3
        if recoding is not None:
            counts = (recoding.frequencies.rows, recoding.published_rows, recoding.suppressed_rows)
        before, published, suppressed = map(str, counts)
        seconds = f"{time.monotonic() - self.clock:.3f}"
        who = self.workspace.perform("user", "current user", self.workspace.backend.user)
        entry = HistoryEntry(
            self.workspace.run_id, now(), who, self.table.table, self.policy.content_hash,
            solution, k, utility, before, published, suppressed, seconds, status,
        )  # fmt: skip
        record_run(self.workspace, entry, self.table)


def summarize(policy: Policy, solved: Solved) -> Earlier:
    """Return the run as journal and history store it."""
    solution, recoding = solved.solution, solved.recoding
    columns = recoding.frequencies.columns
    names = [column.column.name for column in columns]
    levels = solution.assignment.known_levels(names)
    return Earlier(
        levels={name: levels.get(name, 1) for name in names},
        heights={c.column.name: c.height for c in columns},
        kinds={c.column.name: c.column.kind for c in columns},
        solution=solution,
        rows=recoding.frequencies.rows,
        classes=recoding.classes,
        k=recoding.smallest_class,
        utility=solved.utility,
        privacy=reached_to_dict(recoding, policy.models),
    )


def _reason(stopped: BaseException) -> str:
    """Return why a run failed, without values: only the text of our own errors is sure to hold none."""
    if isinstance(stopped, KeyboardInterrupt):
        return "stopped by Ctrl-C or a signal"
    kind = type(stopped).__name__
    return f"{kind}: {stopped}"[:LONGEST_REASON] if isinstance(stopped, KanonError) else kind
