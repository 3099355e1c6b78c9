"""Codes of sensitive values and persons, and the distribution of the values in the source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.artifacts import CodedValues, QuasiIdentifier
from kanon_sql.common.spelling import many
from kanon_sql.errors import RequestError
from kanon_sql.labels.label_tables import LabelledColumn, covered_leaves, label_leaves
from kanon_sql.models import Values
from kanon_sql.tables import Column, RowSource, TableName
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class ValueCodes:
    """The codes of the values that models read from a sensitive column."""

    number: int
    q: QuasiIdentifier
    values: Values
    codes: TableName
    hierarchy_table: TableName
    height: int


def code_values(workspace: Workspace, labelled: Sequence[LabelledColumn], needed: Sequence[Values]) -> tuple[ValueCodes, ...]:
    """Return the codes of the values that models need, numbered."""
    hierarchies = {}
    for column in labelled:
        arguments = {"labelled": column.labelled, "height": column.height, "stride": 1, "by_list": True}
        table = workspace.tables.create(f"hierarchy_{column.number}", "count/hierarchy_table/by_order", **arguments)
        hierarchies[column.quasi_identifier.column.name] = (column, table)
        workspace.tables.drop(column.labelled)
    return tuple(_codes(workspace, number, values, *hierarchies[values.column]) for number, values in enumerate(needed, start=1))


def _codes(workspace: Workspace, number: int, values: Values, column: LabelledColumn, hierarchy: TableName) -> ValueCodes:
    q = column.quasi_identifier
    if values.level >= column.height and values.level > 0:
        raise RequestError(
            f"privacy: column {values.column!r} is grouped by level {values.level} of its hierarchy, whose last level below the root "
            f"is {column.height - 1}; use a lower level, or bins"
        )
    if values.bins is not None and not q.column.is_numeric:
        raise RequestError(f"privacy: bins need a number or a date, but column {values.column!r} has type {q.column.type_name}")
    if values.bins is not None:
        codes = workspace.tables.create(f"codes_{number}", "count/sensitive/codes_by_bin", hierarchy=hierarchy, bins=values.bins)
    else:
        codes = workspace.tables.create(f"codes_{number}", "count/sensitive/codes_by_level", hierarchy=hierarchy, level=values.level)
    workspace.tables.index(codes, "value", is_text=q.column.kind == "text", is_lookup=True)
    return ValueCodes(number, q, values, codes, hierarchy, column.height)


def code_persons(workspace: Workspace, combinations: TableName, entity: Column, at_least: int) -> TableName:
    """Return the codes of persons; raise RequestError if there are fewer than k persons."""
    persons = workspace.tables.create("persons", "count/sensitive/persons", combinations=combinations)
    (count,) = workspace.fetch_one("count/sensitive/person_count", persons=persons)
    if count < at_least:
        raise RequestError(
            f"the table has {many(count, 'person')}, fewer than k = {at_least}; no release of it can be {at_least}-anonymous by persons"
        )
    workspace.tables.index(persons, "value", is_text=entity.kind == "text", is_lookup=True)
    return persons


def count_references(workspace: Workspace, combined: TableName, codes: Sequence[ValueCodes], *, persons: bool) -> tuple[CodedValues, ...]:
    """Return each sensitive value with its distribution in the source; with persons, each person counts once per value."""
    return tuple(_counted(workspace, combined, value, persons=persons) for value in codes)


def _counted(workspace: Workspace, combined: TableName, value: ValueCodes, *, persons: bool) -> CodedValues:
    counted = {"combinations": combined, "column": f"value_{value.number}", "persons": persons}
    reference = workspace.tables.create(f"reference_{value.number}", "count/sensitive/reference", **counted)
    workspace.tables.index(reference, "code")
    distinct, count = workspace.fetch_one("count/sensitive/reference_count", reference=reference)
    tree = None
    if value.q.hierarchy.groups_values and value.height > 0 and value.values == Values(value.values.column):
        branches = {"hierarchy": value.hierarchy_table, "reference": reference, "height": value.height}
        tree = workspace.tables.create(f"tree_{value.number}", "count/sensitive/tree", **branches)
        workspace.tables.index(tree, "code")
    return CodedValues(value.number, value.q, value.values, value.codes, reference, tree, value.height, distinct, count, combined)


def refer_to(
    workspace: Workspace, source: RowSource, columns: Sequence[QuasiIdentifier], needed: Sequence[Values], entity: Column | None
) -> tuple[CodedValues, ...]:
    """Count the sensitive values of a table in one grouping by them alone, and return their codes and distribution."""
    arguments = {"source": source, "quasi_identifiers": columns, "entity": entity}
    combinations = workspace.tables.create("combinations", "count/combinations", **arguments)
    labelled = [label_leaves(workspace, combinations, q) for q in columns]
    covered_leaves(workspace, labelled)
    codes = code_values(workspace, labelled, needed)
    persons = code_persons(workspace, combinations, entity, at_least=0) if entity else None
    coded = workspace.tables.create("combined", "count/sensitive/coded", combinations=combinations, values=codes, persons=persons)
    workspace.tables.drop(combinations)
    return count_references(workspace, coded, codes, persons=persons is not None)
