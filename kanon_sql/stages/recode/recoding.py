"""Turns a solution into the recoding: its classes, each with labels and whether it is suppressed."""

from __future__ import annotations

from dataclasses import replace

from kanon_sql.artifacts import FrequencyTable, Recoding, Solution
from kanon_sql.errors import KanonError, NoSolutionError
from kanon_sql.judge.arguments import ClassArguments, combination_tables, model_arguments, numbered_measures
from kanon_sql.judge.whole_persons import suppress_persons
from kanon_sql.labels.bounds import bounds_table
from kanon_sql.labels.levels import require_joinable
from kanon_sql.labels.regions import label_regions
from kanon_sql.models import Rules
from kanon_sql.partition import Partition, RegionCells
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


def recode(workspace: Workspace, frequencies: FrequencyTable, solution: Solution, rules: Rules) -> Recoding:
    """The classes of the solution's node, or of its regions."""
    if solution.partition is not None:
        return _recode_regions(workspace, frequencies, solution.partition, rules)
    models = model_arguments(rules, frequencies.values, frequencies.label, persons=frequencies.counts_persons)
    keys = frequencies.key_parts(solution.node)
    columns = list(zip(frequencies.columns, solution.node, strict=True))
    carried = [(column, level) for column, level in columns if level < column.height]
    if rules.whole_persons:
        left = suppress_persons(workspace, frequencies, solution.node, models, carried)
        classes, frequencies = left.classes, replace(frequencies, persons=left.persons, whole_persons=True)
    else:
        arguments = ClassArguments(combination_tables(frequencies), keys, models, carried, keeps_keys=True)
        classes = workspace.tables.create("classes", "recode/classes", **arguments.to_dict())
    require_joinable(workspace, 1 + sum(level < column.height for column, level in columns))
    _forget_counts(workspace, frequencies)
    with_bounds = [(column, level) for column, level in columns if level and column.quasi_identifier.has_bounds]
    bounds = {column.number: bounds_table(workspace, column, level) for column, level in with_bounds}
    shape = {
        "keys": keys,
        "columns": columns,
        "measures": models.measures,
        "has_label": models.has_label,
        "persons": models.persons,
    }
    table = workspace.tables.create("recoding", "recode/full_domain", classes=classes, bounds=bounds, **shape)
    workspace.tables.drop(classes, *bounds.values())
    if keys:
        workspace.tables.index(table, "key_1")
    return _finished(workspace, frequencies, solution, rules, table)


def _recode_regions(workspace: Workspace, frequencies: FrequencyTable, partition: Partition, rules: Rules) -> Recoding:
    """The classes of a partition: regions published alike are one class, and each combination knows its own."""
    regions, splits = partition.table, partition.rules.mode == "relaxed"
    _forget_counts(workspace, frequencies)
    spans = label_regions(workspace, frequencies, partition)
    classes = workspace.tables.create("region_classes", "recode/region_classes", spans=spans.table, labels=spans.labels)
    workspace.tables.drop(spans.table)
    workspace.tables.index(classes, "region")
    models = model_arguments(rules, frequencies.values, frequencies.label, persons=frequencies.counts_persons)
    arguments = models.for_values("recode/region_valued.sql", key_count=1)
    judged = None
    if not models.needs_only_sizes:
        judged = workspace.tables.create("judged", "recode/judged_regions", regions=regions, region_classes=classes, **arguments)
        workspace.tables.index(judged, "class")
    table = workspace.tables.create("recoding", "recode/regions", region_classes=classes, labels=spans.labels, judged=judged, **arguments)
    workspace.tables.index(table, "class")
    keys = len(frequencies.key_parts(frequencies.bottom))
    shape = {"keys": keys, "codes": frequencies.code_names, "splits": splits}
    assignments = workspace.tables.create("assignments", "recode/assignments", regions=regions, region_classes=classes, **shape)
    if keys:
        workspace.tables.index(assignments, "key_1")
    workspace.tables.drop(regions, *([judged] if judged else []), *([partition.bounds] if partition.bounds else []))
    cells = RegionCells(assignments, classes, keys, spans.labels, splits)
    return _finished(workspace, frequencies, None, rules, table, cells, planned=partition.planned)


def _forget_counts(workspace: Workspace, frequencies: FrequencyTable) -> None:
    """Drops the counted combinations; codes and references stay for verify."""
    tables = [frequencies.table, *(v.table for v in frequencies.values)]
    tables += [table for table in (frequencies.combined, frequencies.person_table) if table is not None]
    workspace.tables.drop(*dict.fromkeys(tables))


def _broken(rows: int, *, planned: bool) -> str:
    """Why regions cannot be published."""
    if planned:
        return (
            f"the plan does not hold on today's table: {rows} rows are in regions that break the policy, and mondrian suppresses "
            "nothing; nothing was published: solve again and review the new plan"
        )
    return (
        f"regions that would be published alike are one class, and such classes of {rows} rows break the policy although each "
        "region keeps it; mondrian suppresses nothing, and nothing was published"
    )


def _finished(
    workspace: Workspace,
    frequencies: FrequencyTable,
    solution: Solution | None,
    rules: Rules,
    table: TableName,
    regions: RegionCells | None = None,
    *,
    planned: bool = False,
) -> Recoding:
    """The recoding with its totals; they add up, or the run ends here."""
    measures, counted = numbered_measures(rules), "persons" if frequencies.counts_persons else "class_size"
    shape = {"classes": table, "counted": counted, "measures": measures}
    count, published, suppressed, unlabelled, smallest, *worst = workspace.fetch_one("recode/totals", **shape)
    failing_rows = solution.verdict.failing_rows if solution else 0
    if solution is None and suppressed and published + suppressed == frequencies.rows:
        raise NoSolutionError(_broken(suppressed, planned=planned))
    if unlabelled or (published + suppressed, suppressed) != (frequencies.rows, failing_rows):
        raise KanonError(
            f"recoding {frequencies.rows} rows gave {published} to publish, {suppressed} to suppress and {unlabelled} classes "
            "without a label; nothing was published"
        )
    node = solution.node if solution else ()
    return Recoding(table, frequencies, node, count, published, suppressed, smallest, regions, tuple(worst))
