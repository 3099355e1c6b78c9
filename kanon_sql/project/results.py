"""Results of jobs, with the fields of dbt's run_results.json and the privacy and utility of the release."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from kanon_sql.project.jobs import Job
    from kanon_sql.report.explain import ExplainReport

# error_after_release: the release is published, but a later step failed, such as erasing the original rows.
Status = Literal["success", "error", "error_after_release", "skipped", "pass", "fail", "warn"]
GOOD: tuple[Status, ...] = ("success", "pass")
BAD: tuple[Status, ...] = ("error", "error_after_release", "fail")


def format_time(time: datetime) -> str:
    """Return a time in the format of artifacts."""
    return time.isoformat().replace("+00:00", "Z")


@dataclass(frozen=True)
class Span:
    """Start and end of a job or of one of its stages."""

    name: str
    started: datetime
    completed: datetime

    def to_dict(self) -> dict[str, str]:
        """Return the span with dbt's keys."""
        return {"name": self.name, "started_at": format_time(self.started), "completed_at": format_time(self.completed)}


@dataclass(frozen=True)
class JobResult:
    """The result of one job."""

    job: Job
    status: Status
    message: str
    failures: int | None = None  # number of failing classes, if they were counted
    privacy: Mapping[str, Any] | None = None
    utility: Mapping[str, Any] | None = None
    response: Mapping[str, Any] = field(default_factory=dict)  # rows published, suppressed …
    warnings: tuple[str, ...] = ()
    compiled_code: str | None = None
    compiled_path: str | None = None
    plan_hash: str | None = None
    text: str | None = None  # printed for people
    explanation: ExplainReport | None = None
    timing: tuple[Span, ...] = ()
    thread: str = ""
    is_unexpected: bool = False

    @property
    def seconds(self) -> float:
        """The duration of the job."""
        return (self.timing[0].completed - self.timing[0].started).total_seconds() if self.timing else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the result as in run_results.json."""
        return {
            "status": self.status,
            "timing": [span.to_dict() for span in self.timing],
            "thread_id": self.thread,
            "execution_time": self.seconds,
            "adapter_response": dict(self.response),
            "message": self.message,
            "failures": self.failures,
            "unique_id": self.job.unique_id,
            "compiled": self.compiled_code is not None,
            "compiled_code": self.compiled_code,
            "compiled_path": self.compiled_path,
            "relation_name": str(self.job.target),
            "privacy": None if self.privacy is None else dict(self.privacy),
            "utility": None if self.utility is None else dict(self.utility),
            "plan_hash": self.plan_hash,
            "warnings": list(self.warnings),
        }


def summary(results: Iterable[JobResult]) -> str:
    """Return the last line of the output: the number of jobs by status."""
    statuses = [result.status for result in results]
    passed, warned = sum(status in GOOD for status in statuses), statuses.count("warn")
    failed, skipped = sum(status in BAD for status in statuses), statuses.count("skipped")
    return f"Done. PASS={passed} WARN={warned} ERROR={failed} SKIP={skipped} TOTAL={len(statuses)}"


@dataclass(frozen=True)
class Outcome:
    """The outcome of a command: the result of each job, and whether the command was stopped."""

    results: Sequence[JobResult]
    is_interrupted: bool = False
    document: Mapping[str, Any] = field(default_factory=dict)  # the content of the artifact

    @property
    def exit_code(self) -> int:
        """0 success, 1 expected failure, 2 unexpected failure, 130 stopped."""
        if self.is_interrupted:
            return 130
        if any(result.is_unexpected for result in self.results):
            return 2
        return int(any(result.status in (*BAD, "skipped") for result in self.results))
