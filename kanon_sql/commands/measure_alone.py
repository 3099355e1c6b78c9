"""Measure without a source: losses from the journal of a run in place, and classes of the released table."""

from __future__ import annotations

from kanon_sql.artifacts import Earlier
from kanon_sql.artifacts.measures import NotComputed
from kanon_sql.artifacts.utility import ClassSizes
from kanon_sql.commands.measure_models import without_models
from kanon_sql.commands.risk import published_columns
from kanon_sql.metrics import METRICS
from kanon_sql.policy import Policy
from kanon_sql.report.measure import MeasureReport
from kanon_sql.stages.measure.classes import class_sizes
from kanon_sql.stages.measure.release import count_release
from kanon_sql.stages.profile.source import describe_source
from kanon_sql.stages.replace.earlier import fingerprint, last_run
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

NO_REFERENCE = "the source they are compared with no longer exists; kanon check compares with the table itself"
OF_CLASSES = ("classes", "class_size")


def measure_alone(workspace: Workspace, policy: Policy, name: TableName) -> MeasureReport:
    """Return the classes of a release whose source no longer exists; losses are not computed."""
    with workspace.stage("measure"):
        sizes, rows, classes = _count(workspace, policy, name)
    return MeasureReport(
        source=None,
        released=name,
        rows=None,
        published_rows=rows,
        k=sizes.smallest,
        utility={"classes": classes, "class_size": sizes.to_dict()},
        not_computed=_not_computed(f"the source {policy.source} no longer exists"),
        models=without_models(policy, NO_REFERENCE),
    )


def measure_in_place(workspace: Workspace, policy: Policy) -> MeasureReport:
    """Return the losses that the run in place measured before it replaced the rows, and the current classes."""
    with workspace.stage("measure"):
        table = describe_source(workspace, policy.source)
        entry = last_run(workspace, table.name)
        is_same = entry is not None and str(fingerprint(workspace, table)) == entry.fingerprint
        sizes, rows, classes = _count(workspace, policy, table.name)
    models = without_models(policy, NO_REFERENCE)
    counted = {"classes": classes, "class_size": sizes.to_dict()}
    if entry is None or not is_same:
        reason = "no run in place is recorded" if entry is None else f"the table has changed since run {entry.run_id} replaced its rows"
        missing = _not_computed(f"the original rows no longer exist, and {reason}")
        return MeasureReport(None, policy.source, None, rows, sizes.smallest, counted, missing, models=models)
    earlier = Earlier.from_json(entry.solution)
    warning = f"losses are those of run {entry.run_id}, measured before it replaced the rows; classes are counted now"
    missing = tuple(NotComputed(metric, "the run did not measure it") for metric in METRICS if earlier.utility.get(metric) is None)
    return MeasureReport(
        source=policy.source,
        released=policy.source,
        rows=earlier.rows,
        published_rows=rows,
        k=sizes.smallest,
        utility={**earlier.utility, **counted},
        not_computed=missing,
        warnings=(warning,),
        models=models,
    )


def _count(workspace: Workspace, policy: Policy, name: TableName) -> tuple[ClassSizes, int, int]:
    """Return the sizes, rows and number of the classes of a table by the policy's quasi-identifiers."""
    table = describe_source(workspace, name)
    columns = [column for published in published_columns(table, list(policy.quasi_identifiers)) for column in published.columns]
    classes = count_release(workspace, table.name, columns, None, policy.models.k)
    rows, count = workspace.fetch_one("measure/release/totals", classes=classes)
    return class_sizes(workspace, classes), rows, count


def _not_computed(reason: str) -> tuple[NotComputed, ...]:
    return tuple(NotComputed(metric, reason) for metric in METRICS if metric not in OF_CLASSES)
