"""The classes of a table assignment: groups with equal labels are one class, and each combination has its class."""

from __future__ import annotations

from kanon_sql.artifacts import FrequencyTable, LabelledTable, NodeLabels, SpanLabels, TableAssignment
from kanon_sql.judge.arguments import model_arguments
from kanon_sql.labels.groups import LabelledGroups
from kanon_sql.labels.nodes import label_nodes, require_true_labels
from kanon_sql.labels.regions import label_regions
from kanon_sql.models import Rules
from kanon_sql.stages.recode.recoded import RecodedClasses, drop_counts
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


def recode_table(workspace: Workspace, frequencies: FrequencyTable, assignment: TableAssignment, rules: Rules) -> RecodedClasses:
    """Return the classes of a table assignment with their labels."""
    groups = _coded(workspace, frequencies, assignment)
    drop_counts(workspace, frequencies)
    labelled = _label(workspace, frequencies, groups, assignment.labels)
    classes = workspace.tables.create("region_classes", "recode/region_classes", spans=labelled.table, labels=labelled.cells)
    workspace.tables.drop(labelled.table)
    workspace.tables.index(classes, "region")
    table = _judge(workspace, frequencies, rules, groups, classes, labelled)
    keys = len(frequencies.key_parts(frequencies.bottom))
    shape = {"keys": keys, "codes": frequencies.code_names, "splits": assignment.splits_combinations}
    combinations = workspace.tables.create("assignments", "recode/assignments", regions=groups, region_classes=classes, **shape)
    if keys:
        workspace.tables.index(combinations, "key_1")
    workspace.tables.drop(groups, *_tables_of(assignment.labels))
    found = LabelledTable(combinations, assignment.labels, assignment.splits_combinations, classes, labelled.cells)
    return RecodedClasses(table, frequencies, found, merges_groups=True)


def _coded(workspace: Workspace, frequencies: FrequencyTable, assignment: TableAssignment) -> TableName:
    """Return the combinations with their groups and the codes that models need; raise an error if a label does not cover its values."""
    if isinstance(assignment.labels, NodeLabels):
        require_true_labels(workspace, frequencies, assignment.table, assignment.labels)
    if assignment.has_codes or not frequencies.code_names:
        return assignment.table
    shape = {"keys": frequencies.key_parts(frequencies.bottom), "codes": frequencies.code_names}
    combined = frequencies.combined or frequencies.table
    coded = workspace.tables.create("coded_groups", "recode/coded_groups", combined=combined, groups=assignment.table, **shape)
    workspace.tables.drop(assignment.table)
    return coded


def _label(workspace: Workspace, frequencies: FrequencyTable, groups: TableName, labels: SpanLabels | NodeLabels) -> LabelledGroups:
    if isinstance(labels, NodeLabels):
        return label_nodes(workspace, frequencies, groups, labels)
    return label_regions(workspace, frequencies, groups, labels.bounds)


def _judge(
    workspace: Workspace, frequencies: FrequencyTable, rules: Rules, groups: TableName, classes: TableName, labelled: LabelledGroups
) -> TableName:
    """Return the class table; a separate statement evaluates values and persons."""
    models = model_arguments(rules, frequencies.values, frequencies.label, persons=frequencies.counts_persons)
    arguments = models.for_values("recode/region_valued.sql", key_count=1)
    judged = None
    if not models.needs_only_sizes:
        judged = workspace.tables.create("judged", "recode/judged_regions", regions=groups, region_classes=classes, **arguments)
        workspace.tables.index(judged, "class")
    table = workspace.tables.create("recoding", "recode/regions", region_classes=classes, labels=labelled.cells, judged=judged, **arguments)
    workspace.tables.index(table, "class", is_lookup=True)
    if judged is not None:
        workspace.tables.drop(judged)
    return table


def _tables_of(labels: SpanLabels | NodeLabels) -> list[TableName]:
    table = labels.table if isinstance(labels, NodeLabels) else labels.bounds
    return [] if table is None else [table]
