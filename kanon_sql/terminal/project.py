"""What the commands of a project did, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from kanon_sql.project.results import BAD, summary
from kanon_sql.terminal.explain import describe_explain
from kanon_sql.terminal.layout import as_text

if TYPE_CHECKING:
    from kanon_sql.project.results import Outcome


def describe_outcome(outcome: Outcome) -> str:
    """What each job has to show, the failures once more, and the last line."""
    shown = [result.text for result in outcome.results if result.text]
    shown += [f"{r.job.name}, {r.message}\n\n{describe_explain(r.explanation)}" for r in outcome.results if r.explanation]
    failed = [f"{result.job.name}: {result.message}" for result in outcome.results if result.status in BAD]
    if failed:
        shown.append("\n".join(["Failed:", *(f"  {line}" for line in failed)]))
    if not outcome.results:
        shown.append("No policy was chosen: nothing to do.")
    return "\n\n".join([*shown, summary(outcome.results)])


def describe_jobs(jobs: Sequence[Mapping[str, Any]]) -> str:
    """The jobs of a project, for people."""
    if not jobs:
        return "No policy was chosen."
    table = Table(box=None, pad_edge=False)
    for heading in ("name", "file", "source", "target", "plan", "tags"):
        table.add_column(heading)
    for job in jobs:
        into = "in place" if job["config"]["in_place"] else job["relation_name"]
        plan = "yes" if job["plan_hash"] else "no"
        table.add_row(
            *(Text(str(cell)) for cell in (job["name"], job["original_file_path"], job["source_name"], into, plan, ", ".join(job["tags"])))
        )
    return as_text(table).rstrip()
