"""`kanon test`: count the published table of each selected policy again, and write JUnit XML on request."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from xml.etree import ElementTree

from kanon_sql.commands.check import check
from kanon_sql.common.output_file import OutputFile
from kanon_sql.common.spelling import many
from kanon_sql.policy import Policy
from kanon_sql.project.jobs import Job
from kanon_sql.project.results import BAD, JobResult, Outcome
from kanon_sql.project.session import Options, Session, open_session
from kanon_sql.workspace import StageListener

JUNIT_MARK = "<?xml version='1.0' encoding='utf-8'?>\n<testsuite"  # the beginning of the file, by which an earlier one is recognized


def recheck(options: Options, *, junit: OutputFile | None = None) -> Outcome:
    """Check every published table against its current policy."""
    with open_session("test", options) as session:
        outcome = session.execute(partial(_test_job, session))
        if junit is not None:
            junit.write(junit_text(session, outcome.results))
        return outcome


def _test_job(session: Session, job: Job, listener: StageListener) -> JobResult:
    hides_persons = _hides_persons(job.policy)
    policy = job.policy.model_copy(update={"entity": None}) if hides_persons else job.policy
    report = check(session.connection.database, str(job.target), policy=policy, source=_source(policy), listener=listener)
    document = report.to_dict()
    failing = document["failing"]
    table, rows = document["table"], many(document["rows"], "row")
    if not report.holds:
        failed = f"{many(failing['classes'], 'class')} with {many(failing['rows'], 'row')}"
        message = f"{table} does not satisfy the policy in {failed}"
    elif not document["rows"]:
        message = f"{table} is empty: it satisfies the policy, but holds no data"
    else:
        message = f"{table} satisfies the policy: {rows} in {many(document['classes'], 'class')}, k {document['privacy']['k']}"
    if report.holds and hides_persons:
        message += f"; rows were counted, because the release does not contain the column of persons, {job.policy.entity}"
    return JobResult(
        job,
        "fail" if not report.holds else "pass" if document["rows"] and not hides_persons else "warn",
        message,
        failures=failing["classes"],
        privacy=document["privacy"],
        response={key: document[key] for key in ("table", "rows", "classes")},
        plan_hash=job.plan_hash,
    )


def _hides_persons(policy: Policy) -> bool:
    """Return whether the release lacks the column by which persons were counted, so only rows can be counted."""
    if policy.entity is None:
        return False
    rule = policy.columns.get(policy.entity)
    return policy.others == "drop" if rule is None else rule.is_dropped or rule.action == "null"


def _source(policy: Policy) -> str | None:
    """Return the table that the models compare the release with; None in place, and if the source is a query."""
    exists = isinstance(policy.table, str) and not policy.publish.in_place
    return str(policy.source) if exists and policy.models.sensitive_values else None


def junit_text(session: Session, results: Sequence[JobResult]) -> str:
    """Return the results as JUnit XML, for CI servers."""
    counts = {
        "tests": len(results),
        "failures": sum(result.status == "fail" for result in results),
        "errors": sum(result.status in ("error", "error_after_release") for result in results),
        "skipped": sum(result.status == "skipped" for result in results),
    }
    suite = ElementTree.Element("testsuite", {"name": session.project.settings.name, **{key: str(value) for key, value in counts.items()}})
    suite.set("time", f"{sum(result.seconds for result in results):.3f}")
    suite.set("timestamp", session.started.isoformat(timespec="seconds"))
    for result in results:
        class_name = result.job.file.with_suffix("").as_posix().replace("/", ".")
        case = ElementTree.SubElement(
            suite, "testcase", {"classname": class_name, "name": result.job.name, "time": f"{result.seconds:.3f}"}
        )
        message = session.folder.secrets.scrub(result.message)
        if result.status in (*BAD, "skipped"):
            kind = {"fail": "failure", "skipped": "skipped"}.get(result.status, "error")
            ElementTree.SubElement(case, kind, {"message": message})
        else:
            ElementTree.SubElement(case, "system-out").text = message
    return JUNIT_MARK + ElementTree.tostring(suite, encoding="unicode").removeprefix("<testsuite")
