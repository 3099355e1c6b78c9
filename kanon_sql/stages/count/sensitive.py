"""Sensitive values and persons in codes, and how the source distributes them: what verify needs to judge a release by its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.artifacts import CodedValues, QuasiIdentifier
from kanon_sql.errors import RequestError
from kanon_sql.hierarchy import Suppress
from kanon_sql.labels.label_tables import LabelledColumn, covered_leaves, label_leaves
from kanon_sql.models import Values
from kanon_sql.tables import Column, RowSource, TableName
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class ValueCodes:
    """The codes of what is looked at of a sensitive column."""

    number: int
    q: QuasiIdentifier
    values: Values
    codes: TableName
    hierarchy_table: TableName
    height: int


def code_values(workspace: Workspace, labelled: Sequence[LabelledColumn], looked_at: Sequence[Values]) -> tuple[ValueCodes, ...]:
    """The codes of all that is looked at, each under its own number."""
    hierarchies = {}
    for column in labelled:
        shape = {"labelled": column.labelled, "height": column.height, "stride": 1, "order": "listed"}
        table = workspace.tables.create(f"hierarchy_{column.number}", "count/hierarchy_table", **shape)
        hierarchies[column.quasi_identifier.column.name] = (column, table)
        workspace.tables.drop(column.labelled)
    return tuple(_codes(workspace, number, values, *hierarchies[values.column]) for number, values in enumerate(looked_at, start=1))


def _codes(workspace: Workspace, number: int, values: Values, column: LabelledColumn, hierarchy: TableName) -> ValueCodes:
    q = column.quasi_identifier
    if values.level >= column.height and values.level > 0:
        raise RequestError(
            f"privacy: {values.column} is grouped by level {values.level} of its hierarchy, whose levels below the root end at "
            f"{column.height - 1}; name one of these, or write bins"
        )
    if values.bins is not None and not q.column.is_numeric:
        raise RequestError(f"privacy: bins are for numbers and dates, and column {values.column!r} has type {q.column.type_name}")
    codes = workspace.tables.create(f"codes_{number}", "count/sensitive/codes", hierarchy=hierarchy, level=values.level, bins=values.bins)
    workspace.tables.index(codes, "value", is_text=q.column.kind == "text")
    return ValueCodes(number, q, values, codes, hierarchy, column.height)


def code_persons(workspace: Workspace, combinations: TableName, entity: Column, at_least: int) -> TableName:
    """A number for every person."""
    persons = workspace.tables.create("persons", "count/sensitive/persons", combinations=combinations)
    (count,) = workspace.fetch_one("count/sensitive/person_count", persons=persons)
    if count < at_least:
        raise RequestError(
            f"the table holds {count} persons, fewer than k = {at_least}; no release of it can be {at_least}-anonymous by persons"
        )
    workspace.tables.index(persons, "value", is_text=entity.kind == "text")
    return persons


def count_references(workspace: Workspace, combined: TableName, codes: Sequence[ValueCodes], *, persons: bool) -> tuple[CodedValues, ...]:
    """How the source distributes each of them; with persons, each person counts once per value."""
    return tuple(_counted(workspace, combined, value, persons=persons) for value in codes)


def _counted(workspace: Workspace, combined: TableName, value: ValueCodes, *, persons: bool) -> CodedValues:
    shape = {"combinations": combined, "column": f"value_{value.number}", "persons": persons}
    reference = workspace.tables.create(f"reference_{value.number}", "count/sensitive/reference", **shape)
    workspace.tables.index(reference, "code")
    distinct, counted = workspace.fetch_one("count/sensitive/reference_count", reference=reference)
    tree = None
    if not isinstance(value.q.hierarchy, Suppress) and value.height > 0 and value.values == Values(value.values.column):
        shape = {"hierarchy": value.hierarchy_table, "reference": reference, "height": value.height}
        tree = workspace.tables.create(f"tree_{value.number}", "count/sensitive/tree", **shape)
        workspace.tables.index(tree, "code")
    return CodedValues(value.number, value.q, value.values, value.codes, reference, tree, value.height, distinct, counted, combined)


def refer_to(
    workspace: Workspace, source: RowSource, columns: Sequence[QuasiIdentifier], looked_at: Sequence[Values], entity: Column | None
) -> tuple[CodedValues, ...]:
    """The codes and the distribution of sensitive values in a table, from one grouping of it by them alone."""
    shape = {"source": source, "quasi_identifiers": columns, "entity": entity}
    combinations = workspace.tables.create("combinations", "count/combinations", **shape)
    labelled = [label_leaves(workspace, combinations, q) for q in columns]
    covered_leaves(workspace, labelled)
    codes = code_values(workspace, labelled, looked_at)
    persons = code_persons(workspace, combinations, entity, at_least=0) if entity else None
    coded = workspace.tables.create("combined", "count/sensitive/coded", combinations=combinations, values=codes, persons=persons)
    workspace.tables.drop(combinations)
    return count_references(workspace, coded, codes, persons=persons is not None)
