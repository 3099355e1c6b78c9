"""Test: counts the published tables of every chosen policy again, and writes JUnit's XML on request."""

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

JUNIT_MARK = "<?xml version='1.0' encoding='utf-8'?>\n<testsuite"  # how a file of ours begins


def recheck(options: Options, *, junit: OutputFile | None = None) -> Outcome:
    """Whether every published table satisfies its policy as it is now."""
    with open_session("test", options) as session:
        outcome = session.carry_out(partial(_test_job, session))
        if junit is not None:
            junit.write(junit_text(session, outcome.results))
        return outcome


def _test_job(session: Session, job: Job, listener: StageListener) -> JobResult:
    hides_persons = _hides_persons(job.policy)
    policy = job.policy.model_copy(update={"entity": None}) if hides_persons else job.policy
    report = check(session.connection.url, str(job.target), policy=policy, source=_source(policy), listener=listener)
    told = report.to_dict()
    failing = told["failing"]
    if report.holds:
        message = f"{told['table']} holds: {many(told['rows'], 'row')} in {many(told['classes'], 'class')}, k {told['privacy']['k']}"
    else:
        message = f"{told['table']} does not hold; against the policy: {many(failing['classes'], 'class')} ({many(failing['rows'], 'row')})"
    if report.holds and not told["rows"]:
        message = f"{told['table']} is empty; nobody can be singled out in it, and nobody can use it"
    if report.holds and hides_persons:
        message += f"; rows were counted, since persons ({job.policy.entity}) cannot be told apart in it"
    return JobResult(
        job,
        "fail" if not report.holds else "pass" if told["rows"] and not hides_persons else "warn",
        message,
        failures=failing["classes"],
        privacy=told["privacy"],
        response={key: told[key] for key in ("table", "rows", "classes")},
        plan_hash=job.plan_hash,
    )


def _hides_persons(policy: Policy) -> bool:
    """Whether the release lacks the column by which persons were counted: then only rows can be counted again."""
    if policy.entity is None:
        return False
    rule = policy.columns.get(policy.entity)
    return policy.others == "drop" if rule is None else rule.is_dropped or rule.action == "null"


def _source(policy: Policy) -> str | None:
    """What the models of a release are compared with, if it is there under a name: not in place, not of a query."""
    is_there = isinstance(policy.table, str) and not policy.publish.in_place
    return str(policy.source) if is_there and policy.models.looked_at else None


def junit_text(session: Session, results: Sequence[JobResult]) -> str:
    """The results as JUnit's XML, which CI servers show."""
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
        place = result.job.file.with_suffix("").as_posix().replace("/", ".")
        case = ElementTree.SubElement(suite, "testcase", {"classname": place, "name": result.job.name, "time": f"{result.seconds:.3f}"})
        message = session.folder.secrets.scrub(result.message)
        if result.status in (*BAD, "skipped"):
            kind = {"fail": "failure", "skipped": "skipped"}.get(result.status, "error")
            ElementTree.SubElement(case, kind, {"message": message})
        else:
            ElementTree.SubElement(case, "system-out").text = message
    return JUNIT_MARK + ElementTree.tostring(suite, encoding="unicode").removeprefix("<testsuite")
