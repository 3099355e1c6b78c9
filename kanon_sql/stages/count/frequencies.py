"""Counts the source once, into hierarchy tables with codes and labels and a frequency table in codes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kanon_sql.artifacts import CodedColumn, FrequencyTable, LevelLoss, Profile, QuasiIdentifier
from kanon_sql.common.spelling import many
from kanon_sql.errors import KanonError, RequestError
from kanon_sql.labels.label_tables import LabelledColumn, covered_leaves, label_leaves
from kanon_sql.metrics import CELL_METRICS
from kanon_sql.stages.count.sensitive import ValueCodes, code_persons, code_values, count_references
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

# Codes of several columns are packed into one 64-bit integer while they fit.
KEY_CAPACITY = 2**62
JOINED = 20  # columns in one statement: planning time grows faster than the number of joined tables

# Templates of the losses of a label that depend on what it covers of the domain.
_BY_EXTENT, _BY_LEAVES, _BY_OTHER_LEAVES = (
    f"count/label_table/{share}.sql" for share in ("extent_share", "leaf_share", "other_leaf_share")
)
NUMERIC_LOSSES = {"loss": _BY_EXTENT, "ncp": _BY_EXTENT, "nllm": _BY_OTHER_LEAVES}
CATEGORY_LOSSES = {"loss": _BY_OTHER_LEAVES, "ncp": _BY_LEAVES, "nllm": _BY_OTHER_LEAVES}


@dataclass(frozen=True)
class KeySlot:
    """The packed key that holds the code of a column, and the factor of the code there."""

    key: int
    stride: int
    codes: int


@dataclass(frozen=True)
class HierarchyTables:
    """A quasi-identifier's hierarchy table and label table."""

    quasi_identifier: QuasiIdentifier
    hierarchy_table: TableName
    label_table: TableName
    height: int
    unlisted: int

    @property
    def number(self) -> int:
        return self.quasi_identifier.number


def count_combinations(
    workspace: Workspace, profile: Profile, *, at_least: int = 1, splits: Mapping[str, TableName] | None = None
) -> FrequencyTable:
    """Count the source in one grouping by its raw values, and return the frequency table."""
    counted = (*profile.quasi_identifiers, *profile.sensitive)
    arguments = {"source": profile.source, "quasi_identifiers": counted, "entity": profile.entity}
    combinations = workspace.tables.create("combinations", "count/combinations", **arguments)
    rows, count = workspace.fetch_one("count/counted", combinations=combinations)
    if rows == 0:
        raise RequestError("; ".join((f"{profile.title} is empty; there is nothing to publish", *profile.hidden)))
    if rows < at_least:
        few = f"{profile.title} has {many(rows, 'row')}, fewer than k = {at_least}; no release of it can be {at_least}-anonymous"
        raise RequestError("; ".join((few, *profile.hidden)))
    labelled = [label_leaves(workspace, _with_splits(workspace, combinations, q, splits or {}), q) for q in counted]
    leaves = covered_leaves(workspace, labelled)
    coded = _code(workspace, labelled[: len(profile.quasi_identifiers)], leaves, ranked=profile.ranked)
    values = code_values(workspace, labelled[len(profile.quasi_identifiers) :], profile.sensitive_values)
    persons = code_persons(workspace, combinations, profile.entity, at_least) if profile.entity else None
    # Regions are cut from leaves, not from levels.
    combinations, parts, remaining = _code_most(workspace, profile, combinations, coded)
    codes = {"coded": parts, "columns": remaining, "leaves_only": profile.ranked, "values": values, "persons": persons}
    table = workspace.tables.create(
        "combined" if values or persons else "frequencies", "count/frequency_table", combinations=combinations, **codes
    )
    workspace.tables.drop(combinations)
    coded_rows, uncoded = workspace.fetch_one("count/coded", frequencies=table, columns=coded, values=values, persons=persons)
    if uncoded or coded_rows != rows:
        raise KanonError(
            f"{rows} rows were counted, but {coded_rows} have codes and {uncoded} combinations lack one; nothing was published"
        )
    frequencies = FrequencyTable(table, rows, count, coded)
    return _with_values(workspace, profile, frequencies, values, persons) if values or persons else frequencies


def _code_most(
    workspace: Workspace, profile: Profile, combinations: TableName, columns: Sequence[CodedColumn]
) -> tuple[TableName, list[str], Sequence[CodedColumn]]:
    """Code all except the last columns of the combinations; return the table, the names of its parts and the remaining columns."""
    parts: list[str] = []
    remaining = [column for column in columns if column.height > 0]
    while len(remaining) > JOINED:
        chunk, remaining = remaining[:JOINED], remaining[JOINED:]
        raw = [q.value for q in (*(column.quasi_identifier for column in remaining), *profile.sensitive)]
        person = ["person_value"] if profile.entity is not None else []
        following = workspace.tables.create(
            f"coded_{len(remaining)}",
            "count/coded_columns",
            combinations=combinations,
            columns=chunk,
            leaves_only=profile.ranked,
            carried=[*parts, *raw, *person, "row_count"],
        )
        workspace.tables.drop(combinations)
        combinations = following
        parts += [c.quasi_identifier.part(level) for c in chunk for level in range(1 if profile.ranked else c.height)]
    return combinations, parts, remaining


def _with_splits(workspace: Workspace, combinations: TableName, q: QuasiIdentifier, splits: Mapping[str, TableName]) -> TableName:
    """Return the table with the values of a column: the combinations, with the values at which a plan cuts the column."""
    if q.column.name not in splits:
        return combinations
    arguments = {"combinations": combinations, "q": q, "splits": splits[q.column.name]}
    return workspace.tables.create(f"values_{q.number}", "count/with_splits", **arguments)


def _with_values(
    workspace: Workspace, profile: Profile, combined: FrequencyTable, values: tuple[ValueCodes, ...], persons: TableName | None
) -> FrequencyTable:
    """Return the frequency table of the quasi-identifiers alone, with one table per sensitive value and one of persons."""

    def rolled_up(name: str, values: tuple[int, ...], *, person: bool) -> TableName:
        return workspace.tables.create(
            name,
            "evaluate/rollup",
            frequencies=combined.table,
            keys=combined.key_parts(combined.bottom),
            columns=[(column, 0) for column in combined.columns],
            leaves_only=profile.ranked,
            values=values,
            person=person,
        )

    if any(v.values.level or v.values.bins for v in values):  # several raw values share a code
        grouped = rolled_up("regrouped", tuple(v.number for v in values), person=persons is not None)
        workspace.tables.drop(combined.table)
        combined = replace(combined, table=grouped)
    table = rolled_up("frequencies", (), person=False)
    _, count = workspace.fetch_one("count/counted", combinations=table)
    coded = count_references(workspace, combined.table, values, persons=persons is not None)
    # A table of combinations needs all their codes together; nodes are evaluated by one sensitive value at a time.
    separate = not profile.codes_together and len(values) + (persons is not None) > 1
    if separate:
        coded = tuple(replace(v, table=rolled_up(f"valued_{v.number}", (v.number,), person=persons is not None)) for v in coded)
    person_table, person_count = None, None
    if persons is not None:
        person_table = rolled_up("person_rows", (), person=True) if separate else combined.table
        _, person_count = workspace.fetch_one("count/counted", combinations=person_table)
    if separate:
        workspace.tables.drop(combined.table)
    label = next((v for v in coded if v.values == profile.label), None)
    together = None if separate else combined.table
    return FrequencyTable(table, combined.rows, count, combined.columns, label, coded, together, person_table, persons, person_count)


def _code(workspace: Workspace, columns: list[LabelledColumn], leaves: dict[int, int], *, ranked: bool) -> tuple[CodedColumn, ...]:
    """Return each column with its codes, its level sizes and its slot in the packed class key."""
    slots = _key_slots([leaves[column.number] for column in columns])
    tables = [_hierarchy_tables(workspace, column, slot, ranked=ranked) for column, slot in zip(columns, slots, strict=True)]
    cells = [metric.cell for metric in CELL_METRICS]
    levels: dict[int, list[tuple[Any, ...]]] = {}
    for start in range(0, len(tables), JOINED):
        for number, *figures in sorted(workspace.fetch("count/level_sizes", columns=tables[start : start + JOINED], cells=cells)):
            levels.setdefault(number, []).append(tuple(figures))
    return tuple(_coded(column, slot, levels[column.number], cells) for column, slot in zip(tables, slots, strict=True))


def _coded(column: HierarchyTables, slot: KeySlot, levels: list[tuple[Any, ...]], cells: list[str]) -> CodedColumn:
    """Return a column with the figures of its levels: level, losses, labels, distinct labels."""
    return CodedColumn(
        column.quasi_identifier,
        column.hierarchy_table,
        column.label_table,
        labels=tuple(figures[-2] for figures in levels),
        distinct=tuple(figures[-1] for figures in levels),
        key=slot.key,
        stride=slot.stride,
        codes=slot.codes,
        unlisted=column.unlisted,
        losses={
            cell: tuple(LevelLoss(*map(float, figures[start : start + 3])) for figures in levels)
            for start, cell in zip(range(1, 1 + 3 * len(cells), 3), cells, strict=True)
        },
    )


def _key_slots(leaves: list[int]) -> list[KeySlot]:
    """Return the slot of each column's code; columns share one packed key while their codes fit.

    The first column has the largest stride of a key: combinations are often counted in that order, and sorting them by key is faster.
    """
    keys: list[list[int]] = [[]]
    for count in leaves:
        if math.prod(keys[-1]) * (count + 1) > KEY_CAPACITY:
            keys.append([])
        keys[-1].append(count + 1)
    return [KeySlot(key, math.prod(codes[index + 1 :]), codes[index]) for key, codes in enumerate(keys) for index in range(len(codes))]


def _hierarchy_tables(workspace: Workspace, column: LabelledColumn, slot: KeySlot, *, ranked: bool) -> HierarchyTables:
    """Create the hierarchy table and the label table of a column."""
    number, height, is_numeric = column.number, column.height, column.quasi_identifier.column.is_numeric
    arguments: dict[str, Any] = {"labelled": column.labelled, "height": height, "stride": slot.stride}
    if ranked and not is_numeric:
        hierarchy = workspace.tables.create(f"hierarchy_{number}", "count/hierarchy_table/by_tree", **arguments)
    else:
        hierarchy = workspace.tables.create(f"hierarchy_{number}", "count/hierarchy_table/by_order", by_list=not ranked, **arguments)
    workspace.tables.index(hierarchy, "value", is_text=column.quasi_identifier.column.kind == "text", is_lookup=True)
    labels = workspace.tables.create(
        f"labels_{number}",
        "count/label_table",
        hierarchy=hierarchy,
        height=height,
        unlisted=column.unlisted,
        losses=NUMERIC_LOSSES if is_numeric else CATEGORY_LOSSES,
    )
    workspace.tables.index(hierarchy, "part_0")
    workspace.tables.index(labels, "part")
    workspace.tables.drop(column.labelled)
    return HierarchyTables(column.quasi_identifier, hierarchy, labels, height, column.unlisted)
