"""Results of the commands of a project as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kanon_sql.project.results import BAD, summary
from kanon_sql.terminal.explain import describe_explain
from kanon_sql.terminal.layout import text_table

if TYPE_CHECKING:
    from kanon_sql.project.results import Outcome


def describe_outcome(outcome: Outcome) -> str:
    """Return the text of each job, then all failures and a summary."""
    shown = [result.text for result in outcome.results if result.text]
    shown += [f"{r.job.name}, {r.message}\n\n{describe_explain(r.explanation)}" for r in outcome.results if r.explanation]
    failed = [f"{result.job.name}: {result.message}" for result in outcome.results if result.status in BAD]
    if failed:
        shown.append("\n".join(["Failed:", *(f"  {line}" for line in failed)]))
    if not outcome.results:
        shown.append("No policy was selected. Nothing to do.")
    return "\n\n".join([*shown, summary(outcome.results)])


def describe_jobs(jobs: Sequence[Mapping[str, Any]]) -> str:
    """Return the jobs of a project as text."""
    if not jobs:
        return "No policy was selected."
    headings = ("name", "file", "source", "target", "plan", "tags")
    rows = []
    for job in jobs:
        into = "in place" if job["config"]["in_place"] else str(job["relation_name"])
        plan = "yes" if job["plan_hash"] else "no"
        rows.append((job["name"], job["original_file_path"], str(job["source_name"]), into, plan, ", ".join(job["tags"])))
    return text_table(headings, rows, left=len(headings)).rstrip()
