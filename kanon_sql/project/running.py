"""`kanon run`: publish each selected policy with its committed plan, if the plan still satisfies the policy."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from kanon_sql.artifacts import Verdict
from kanon_sql.artifacts.plan import Plan, read_plan
from kanon_sql.commands.anonymize import anonymize
from kanon_sql.commands.recover import recover
from kanon_sql.common.spelling import many
from kanon_sql.errors import AfterReleaseError, NoSolutionError, RequestError
from kanon_sql.project.jobs import Job
from kanon_sql.project.planning import plan_job
from kanon_sql.project.results import JobResult, Outcome
from kanon_sql.project.session import Options, Session, open_session
from kanon_sql.report.run import AnonymizeReport, write_statements
from kanon_sql.workspace import StageListener

# The stages whose statements create the release.
_PUBLISHING = ("publish", "write", "swap")


def run(options: Options) -> Outcome:
    """Publish every selected policy."""
    with open_session("run", options) as session:
        return session.execute(partial(_run_job, session))


def _run_job(session: Session, job: Job, listener: StageListener) -> JobResult:
    if session.auto_plan and job.policy.publish.in_place:
        recover(session.connection.database, listener=listener)  # planning itself recovers nothing: it only reads the table
    has_no_plan = session.auto_plan and plan_job(session, job, listener).plan_hash is None
    plan = None if has_no_plan else _committed_plan(job)
    try:
        report = anonymize(session.connection.database, job.policy, plan=plan, yes=session.allows_in_place, listener=listener)
    except NoSolutionError as error:
        raise NoSolutionError(_describe_change(job, plan, error) if plan else str(error), error.verdict) from None
    except AfterReleaseError as error:
        released: AnonymizeReport = error.report
        return replace(_result(session, job, released), status="error_after_release", message=str(error))
    return _result(session, job, report)


def _committed_plan(job: Job) -> Plan:
    if not job.plan_file.is_file():
        name = job.plan_file.relative_to(job.folder).as_posix()
        raise RequestError(f"plan {name} does not exist. Create it with kanon plan --select {job.name} and review it, or use --auto-plan")
    return read_plan(job.plan_file)


def _describe_change(job: Job, plan: Plan, error: NoSolutionError) -> str:
    """Return why the plan no longer satisfies the policy, with the counts it was made for and the current ones."""
    expected, verdict = plan.expected, error.verdict
    sentences = [str(error)]
    if isinstance(verdict, Verdict) and {"rows", "suppressed", "classes", "k"} <= set(expected):
        sentences.append(
            f"The plan was made for {many(expected['rows'], 'row')}: {many(expected['classes'], 'class')}, "
            f"smallest class {expected['k']}, {many(expected['suppressed'], 'suppressed row')}"
        )
        sentences.append(
            f"With the current data it has {many(verdict.classes, 'class')}, smallest class {verdict.smallest_class}, "
            f"and {many(verdict.failing_rows, 'failing row')} in {many(verdict.failing_classes, 'class')}"
        )
    sentences.append(f"Plan again with kanon plan --select {job.name} and review the difference, or use --auto-plan")
    return ". ".join(sentences)


def _result(session: Session, job: Job, report: AnonymizeReport) -> JobResult:
    document = report.to_dict()
    compiled = session.folder.write_text(Path("run") / job.file.with_suffix(".sql"), write_statements(report.statements))
    if report.status == "unchanged":
        message = f"unchanged since the last run, nothing to do; k {report.k}"
    else:
        message = (
            f"{report.published_rows:,} of {report.rows:,} rows in {many(report.classes, 'class')}, k {report.k}; "
            f"{report.suppressed_rows:,} suppressed"
        )
    code = ";\n\n".join(statement.sql for statement in report.statements if statement.stage in _PUBLISHING)
    return JobResult(
        job,
        "success",
        message,
        privacy=document["privacy"],
        utility=document["utility"],
        response={"rows": report.rows, **document["published"], **({"scrubbed": report.in_place.scrubbed} if report.in_place else {})},
        warnings=report.warnings,
        compiled_code=session.folder.secrets.scrub(code) or None,
        compiled_path=str(compiled.relative_to(job.folder)),
        plan_hash=job.plan_hash,
    )
