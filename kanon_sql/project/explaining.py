"""`kanon explain` in a project: explain the levels of each selected policy's plan, or of a new search if there is no plan."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from kanon_sql.artifacts.plan import read_plan
from kanon_sql.commands.explain import explain as explain_policy
from kanon_sql.project.jobs import Job
from kanon_sql.project.results import JobResult, Outcome
from kanon_sql.project.session import Options, Session, open_session
from kanon_sql.workspace import StageListener


def explain(options: Options) -> Outcome:
    """Explain every selected policy, with temporary tables only and without artifacts."""
    with open_session("explain", options) as session:
        outcome = session.execute(partial(_explain_job, session))
        results = [
            {
                "unique_id": result.job.unique_id,
                "status": result.status,
                "message": result.message,
                "explanation": result.explanation.to_dict() if result.explanation else None,
            }
            for result in outcome.results
        ]
        return replace(outcome, document={"results": session.folder.secrets.scrub_all(results)})


def _explain_job(session: Session, job: Job, listener: StageListener) -> JobResult:
    plan = read_plan(job.plan_file) if job.plan_file.is_file() else None
    report = explain_policy(session.connection.database, job.policy, plan=plan, listener=listener)
    levels = ", ".join(f"{name} {level}" for name, level in report.levels.items())
    origin = "levels of the plan" if plan else "levels of a new search"
    return JobResult(job, "success", f"{origin}: {levels}", explanation=report, warnings=report.warnings)
