"""Plan: searches a solution for every chosen policy, writes it as a plan, and shows what changed in it."""

from __future__ import annotations

import difflib
from dataclasses import replace
from functools import partial
from pathlib import Path

from kanon_sql.commands.solve import solve
from kanon_sql.commands.unchanged import is_published_in_place
from kanon_sql.common.spelling import many
from kanon_sql.errors import RequestError
from kanon_sql.project.jobs import Job
from kanon_sql.project.results import JobResult, Outcome
from kanon_sql.project.session import Options, Session, open_session
from kanon_sql.report.run import write_statements
from kanon_sql.workspace import StageListener


def plan(options: Options) -> Outcome:
    """Writes a plan for every chosen policy; in the database only temporary tables are made."""
    with open_session("plan", options) as session:
        return session.carry_out(partial(plan_job, session))


def plan_job(session: Session, job: Job, listener: StageListener) -> JobResult:
    """Writes the plan of one policy, if it can have one; the difference to the plan that was there is the result's text."""
    if job.policy.publish.in_place and is_published_in_place(session.connection.url, job.policy, listener=listener):
        return JobResult(job, "success", "unchanged since it was published in place: there is nothing to plan")
    before = _text(job.plan_file)
    report = solve(session.connection.url, job.policy, listener=listener)
    if session.folder.secrets.has_any(report.plan.to_yaml()):
        raise RequestError(
            "the plan would hold the value of a secret environment variable, which a file in git must not; take it out of --vars"
        )
    if report.plan.unfrozen is not None:
        told = f"this cannot be a plan: {report.plan.unfrozen}; kanon run --auto-plan searches each time"
        return JobResult(job, "warn", told, warnings=report.warnings)
    try:
        job.plan_file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(f"{job.plan_file.parent} cannot be made a folder: {error.strerror}") from None
    report.plan.write(job.plan_file, policy_folder=job.policy_folder)
    compiled = session.folder.write_text(Path("compiled") / job.file.with_suffix(".sql"), write_statements(report.statements))
    after, shown = _text(job.plan_file), job.plan_file.relative_to(job.folder).as_posix()
    expected = report.plan.expected
    said = {True: "unchanged", False: "changed" if before else "new"}[before == after]
    rows = f"{expected['published']:,} of {expected['rows']:,} rows in {many(expected['classes'], 'class')}, k {expected['k']}"
    result = JobResult(
        job,
        "success",
        f"plan {said}, {shown}: {rows}",
        privacy={"k": expected["k"]},
        utility=expected["cost"],
        response={key: expected[key] for key in ("rows", "published", "suppressed", "classes")},
        warnings=report.warnings,
        compiled_path=str(compiled.relative_to(job.folder)),
        plan_hash=job.plan_hash,
    )
    return replace(result, text=_difference(before, after, shown))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8") if file.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return ""


def _difference(before: str, after: str, name: str) -> str:
    """The lines that changed, as a patch."""
    old, new = before.splitlines(), after.splitlines()
    return "\n".join(difflib.unified_diff(old, new, f"a/{name}" if before else "/dev/null", f"b/{name}", lineterm=""))
