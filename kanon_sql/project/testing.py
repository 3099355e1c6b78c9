"""Test: counts the published tables of every chosen policy again, and writes JUnit's XML on request."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

from kanon_sql.commands.check import check
from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy
from kanon_sql.project.jobs import Job
from kanon_sql.project.results import BAD, JobResult, Outcome
from kanon_sql.project.session import Options, Session, open_session
from kanon_sql.request import check_from_arguments
from kanon_sql.workspace import StageListener


def recheck(options: Options, *, junit: Path | None = None) -> Outcome:
    """Whether every published table satisfies its policy as it is now."""
    with open_session("test", options) as session:
        outcome = session.carry_out(partial(_test_job, session))
        if junit is not None:
            write_junit(junit, session, outcome.results)
        return outcome


def _test_job(session: Session, job: Job, listener: StageListener) -> JobResult:
    judged = _judgeable(job.policy)
    request = check_from_arguments(policy=judged, table=None, quasi_identifiers=[], k=None, source=_reference(job.policy))
    report = check(
        session.connection.url,
        request.table,
        quasi_identifiers=request.quasi_identifiers,
        policy=request.policy,
        source=request.source,
        listener=listener,
    )
    told = report.to_dict()
    failing = told["failing"]
    if report.holds:
        message = f"{told['table']} holds: {told['rows']:,} rows in {told['classes']:,} classes, k {told['privacy']['k']}"
    else:
        message = f"{told['table']} does not hold: {failing['classes']:,} classes ({failing['rows']:,} rows) break the policy"
    if report.holds and not told["rows"]:
        message = f"{told['table']} is empty; nobody can be singled out in it, and nobody can use it"
    elif report.holds and judged is not job.policy:
        message += f"; rows were counted, since persons cannot be told apart without {job.policy.entity!r}"
    return JobResult(
        job,
        "fail" if not report.holds else "pass" if told["rows"] and judged is job.policy else "warn",
        message,
        failures=failing["classes"],
        privacy=told["privacy"],
        response={key: told[key] for key in ("table", "rows", "classes")},
        plan_hash=job.plan_hash,
    )


def _judgeable(policy: Policy) -> Policy:
    """What can be judged of the release: persons only where the column that tells them apart was published."""
    if policy.entity is None:
        return policy
    rule = policy.columns.get(policy.entity)
    is_there = policy.others == "keep" if rule is None else rule.role in ("sensitive", "insensitive")
    return policy if is_there else policy.model_copy(update={"entity": None})


def _reference(policy: Policy) -> str | None:
    """The table that t-closeness and its kin compare with: the source, unless its rows are gone or only part of it was read."""
    if policy.where is not None or policy.publish.in_place or not policy.models.looked_at:
        return None
    return policy.table if isinstance(policy.table, str) else None


def write_junit(file: Path, session: Session, results: Sequence[JobResult]) -> None:
    """The results as JUnit's XML, which CI servers show."""
    counts = {
        "tests": len(results),
        "failures": sum(result.status == "fail" for result in results),
        "errors": sum(result.status == "error" for result in results),
        "skipped": sum(result.status == "skipped" for result in results),
    }
    suite = ElementTree.Element("testsuite", {"name": session.project.settings.name, **{key: str(value) for key, value in counts.items()}})
    suite.set("time", f"{sum(result.seconds for result in results):.3f}")
    suite.set("timestamp", session.started.isoformat(timespec="seconds"))
    for result in results:
        place = result.job.file.with_suffix("").as_posix().replace("/", ".")
        case = ElementTree.SubElement(suite, "testcase", {"classname": place, "name": result.job.name, "time": f"{result.seconds:.3f}"})
        message = session.folder.secrets.scrub(result.message)
        if result.status in (*BAD, "skipped"):
            kind = {"fail": "failure", "error": "error", "skipped": "skipped"}[result.status]
            ElementTree.SubElement(case, kind, {"message": message})
        else:
            ElementTree.SubElement(case, "system-out").text = message
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        ElementTree.ElementTree(suite).write(file, encoding="utf-8", xml_declaration=True)
    except OSError as error:
        raise RequestError(f"{file} cannot be written: {error.strerror}") from None
