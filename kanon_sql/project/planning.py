"""`kanon plan`: search for a solution for each selected policy, write it as a plan, and show the difference."""

from __future__ import annotations

import difflib
from dataclasses import replace
from functools import partial
from pathlib import Path

from kanon_sql.artifacts.plan import Plan
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
    """Write a plan for every selected policy, with temporary tables only."""
    with open_session("plan", options) as session:
        return session.execute(partial(plan_job, session))


def plan_job(session: Session, job: Job, listener: StageListener) -> JobResult:
    """Write the plan of one policy, if its solution can be saved; the text of the result is the difference from the previous plan."""
    if job.policy.publish.in_place and is_published_in_place(session.connection.database, job.policy, listener=listener):
        return JobResult(job, "success", "unchanged since it was published in place, nothing to plan")
    before = _text(job.plan_file)
    report = solve(session.connection.database, job.policy, listener=listener)
    if session.folder.secrets.has_any(report.plan.to_yaml()):
        raise RequestError(
            "the plan would contain the value of a secret environment variable, and plans are committed to git. "
            "Remove the value from --vars"
        )
    if report.plan.unfrozen is not None:
        message = (
            f"the solution cannot be saved as a plan: {report.plan.unfrozen}. Publish with kanon run --auto-plan, which searches again"
        )
        return JobResult(job, "warn", message, warnings=report.warnings)
    _write(job, report.plan)
    compiled = session.folder.write_text(Path("compiled") / job.file.with_suffix(".sql"), write_statements(report.statements))
    after, name = _text(job.plan_file), job.plan_file.relative_to(job.folder).as_posix()
    expected = report.plan.expected
    change = "unchanged" if before == after else "changed" if before else "new"
    rows = f"{expected['published']:,} of {expected['rows']:,} rows in {many(expected['classes'], 'class')}, k {expected['k']}"
    result = JobResult(
        job,
        "success",
        f"plan {change}, {name}: {rows}",
        privacy={"k": expected["k"]},
        utility=expected["cost"],
        response={key: expected[key] for key in ("rows", "published", "suppressed", "classes")},
        warnings=report.warnings,
        compiled_path=str(compiled.relative_to(job.folder)),
        plan_hash=job.plan_hash,
    )
    return replace(result, text=_difference(before, after, name))


def _write(job: Job, plan: Plan) -> None:
    try:
        job.plan_file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(f"folder {job.plan_file.parent} cannot be created: {error.strerror}. Make the project folder writable") from None
    plan.write(job.plan_file, policy_folder=job.policy_folder)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8") if file.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return ""


def _difference(before: str, after: str, name: str) -> str:
    """Return the changed lines as a unified diff."""
    old, new = before.splitlines(), after.splitlines()
    return "\n".join(difflib.unified_diff(old, new, f"a/{name}" if before else "/dev/null", f"b/{name}", lineterm=""))
