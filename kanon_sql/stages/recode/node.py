"""The classes of a node, whose keys are computed from codes."""

from __future__ import annotations

from dataclasses import replace

from kanon_sql.artifacts import FrequencyTable, NodeAssignment
from kanon_sql.judge.arguments import ClassArguments, combination_tables, model_arguments
from kanon_sql.judge.whole_persons import suppress_persons
from kanon_sql.labels.bounds import bounds_table
from kanon_sql.labels.levels import require_joinable
from kanon_sql.lattice import Node
from kanon_sql.models import Rules
from kanon_sql.stages.recode.recoded import RecodedClasses, drop_counts
from kanon_sql.workspace import Workspace


def recode_node(workspace: Workspace, frequencies: FrequencyTable, node: Node, rules: Rules) -> RecodedClasses:
    """Return the classes of a node with their labels."""
    models = model_arguments(rules, frequencies.values, frequencies.label, persons=frequencies.counts_persons)
    keys = frequencies.key_parts(node)
    columns = list(zip(frequencies.columns, node, strict=True))
    carried = [(column, level) for column, level in columns if level < column.height]
    if rules.whole_persons:
        remaining = suppress_persons(workspace, frequencies, node, models, carried)
        classes, frequencies = remaining.classes, replace(frequencies, persons=remaining.persons, whole_persons=True)
    else:
        arguments = ClassArguments(combination_tables(frequencies), keys, models, carried, keeps_keys=True)
        classes = workspace.tables.create("classes", "recode/classes", **arguments.to_dict())
    require_joinable(workspace, 1 + len(carried))
    drop_counts(workspace, frequencies)
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
        workspace.tables.index(table, "key_1", is_lookup=True)
    workspace.tables.index(table, "class")
    return RecodedClasses(table, frequencies, NodeAssignment(node), merges_groups=False)
