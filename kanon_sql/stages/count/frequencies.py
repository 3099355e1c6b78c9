"""Counts the source into hierarchy tables with codes and labels and a frequency table in codes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kanon_sql.artifacts import CodedColumn, FrequencyTable, LevelLoss, Profile, QuasiIdentifier
from kanon_sql.common.spelling import many
from kanon_sql.errors import KanonError, RequestError
from kanon_sql.labels.label_tables import LabelledColumn, covered_leaves, label_leaves
from kanon_sql.labels.row_parts import row_keys
from kanon_sql.metrics import CELL_METRICS
from kanon_sql.stages.count.packing import JOINED, is_nearly_unique
from kanon_sql.stages.count.sensitive import ValueCodes, code_persons, code_values, count_references
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

# Codes of several columns are packed into one 64-bit integer while they fit.
KEY_CAPACITY = 2**62
UNITED = 200  # levels in one statement; SQLite unites at most 500 selects


@dataclass(frozen=True)
class KeySlot:
    """The packed key that holds the code of a column, and the factor of the code there."""

    key: int
    stride: int
    codes: int


@dataclass(frozen=True)
class CodedLeaves:
    """A quasi-identifier whose leaves have codes."""

    quasi_identifier: QuasiIdentifier
    hierarchy_table: TableName
    height: int
    unlisted: int

    @property
    def number(self) -> int:
        return self.quasi_identifier.number

    @property
    def is_numeric(self) -> bool:
        return self.quasi_identifier.column.is_numeric


def count_combinations(
    workspace: Workspace, profile: Profile, *, at_least: int = 1, splits: Mapping[str, TableName] | None = None
) -> FrequencyTable:
    """Count the source by its quasi-identifiers, with sensitive values and persons where needed, and return the frequency table."""
    if is_nearly_unique(workspace, profile):
        return _count_in_codes(workspace, profile, at_least, splits or {})
    return _count_in_values(workspace, profile, at_least, splits or {})


def _count_in_codes(workspace: Workspace, profile: Profile, at_least: int, splits: Mapping[str, TableName]) -> FrequencyTable:
    """Count each column alone, then the combinations of codes: integers group faster than values, and codes need no second join."""
    counted = profile.quasi_identifiers
    columns = [workspace.tables.create(f"column_{q.number}", "count/column", source=profile.source, q=q) for q in counted]
    rows, _ = workspace.fetch_one("count/counted", combinations=columns[0])
    _require_rows(profile, rows, at_least)
    tables = zip(columns, counted, strict=True)
    labelled = [label_leaves(workspace, _with_splits(workspace, table, q, splits), q) for table, q in tables]
    coded = _code(workspace, labelled, covered_leaves(workspace, labelled), ranked=profile.ranked)
    keys = row_keys(workspace, [(column, 0) for column in coded if column.height > 0])
    nothing_else = {"codes": (), "published": (), "whole_persons": None}
    packed = workspace.tables.create("packed", "count/packed", source=profile.source, keys=keys, **nothing_else)
    _, count = workspace.fetch_one("count/counted", combinations=packed)
    shape = {"positions": {parts[0].coded.key: position for position, parts in enumerate(keys, start=1)}, "leaves_only": profile.ranked}
    table = workspace.tables.create("frequencies", "count/unpacked", packed=packed, columns=coded, **shape)
    workspace.tables.drop(packed, *columns)
    _require_coded(workspace, FrequencyTable(table, rows, count, coded))
    return FrequencyTable(table, rows, count, coded)


def _count_in_values(workspace: Workspace, profile: Profile, at_least: int, splits: Mapping[str, TableName]) -> FrequencyTable:
    """Count the combinations of values in one scan, then give them codes."""
    counted = (*profile.quasi_identifiers, *profile.sensitive)
    arguments = {"source": profile.source, "quasi_identifiers": counted, "entity": profile.entity}
    combinations = workspace.tables.create("combinations", "count/combinations", **arguments)
    rows, count = workspace.fetch_one("count/counted", combinations=combinations)
    _require_rows(profile, rows, at_least)
    labelled = [label_leaves(workspace, _with_splits(workspace, combinations, q, splits), q) for q in counted]
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
    frequencies = FrequencyTable(table, rows, count, coded)
    _require_coded(workspace, frequencies, values, persons)
    return _with_values(workspace, profile, frequencies, values, persons) if values or persons else frequencies


def _require_rows(profile: Profile, rows: int, at_least: int) -> None:
    """Raise an error if there are too few rows for one class."""
    if rows == 0:
        raise RequestError("; ".join((f"{profile.title} is empty; there is nothing to publish", *profile.hidden)))
    if rows < at_least:
        few = f"{profile.title} has {many(rows, 'row')}, fewer than k = {at_least}; no release of it can be {at_least}-anonymous"
        raise RequestError("; ".join((few, *profile.hidden)))


def _require_coded(
    workspace: Workspace, frequencies: FrequencyTable, values: Sequence[ValueCodes] = (), persons: TableName | None = None
) -> None:
    """Raise an error unless every counted row has a code in every column."""
    arguments = {"frequencies": frequencies.table, "columns": frequencies.columns, "values": values, "persons": persons}
    coded_rows, uncoded = workspace.fetch_one("count/coded", **arguments)
    if uncoded or coded_rows != frequencies.rows:
        raise KanonError(
            f"{frequencies.rows} rows were counted, but {coded_rows} have codes and {uncoded} combinations lack one; nothing was published"
        )


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
    """Return each column with its codes, its labels, its level sizes and its slot in the packed class key."""
    slots = _key_slots([leaves[column.number] for column in columns])
    coded = [_code_leaves(workspace, column, slot, ranked=ranked) for column, slot in zip(columns, slots, strict=True)]
    workspace.tables.drop(*(column.labelled for column in columns))
    found: list[CodedColumn] = []
    for chunk in _chunks(coded):
        found += _with_labels(workspace, chunk, slots[len(found) : len(found) + len(chunk)])
    return tuple(found)


def _chunks(columns: Sequence[CodedLeaves]) -> Iterator[list[CodedLeaves]]:
    """Yield the columns in order, as many at once as one statement can unite the levels of."""
    chunk: list[CodedLeaves] = []
    for column in columns:
        if chunk and sum(other.height + 1 for other in (*chunk, column)) > UNITED:
            yield chunk
            chunk = []
        chunk.append(column)
    if chunk:
        yield chunk


def _with_labels(workspace: Workspace, columns: Sequence[CodedLeaves], slots: Sequence[KeySlot]) -> Iterator[CodedColumn]:
    """Yield columns with their label tables and the figures of their levels."""
    labels = workspace.tables.create(f"labels_from_{columns[0].number}", "count/labels", columns=columns)
    cells = [metric.cell for metric in CELL_METRICS]
    heights = [(column.number, column.height) for column in columns]
    levels: dict[int, list[tuple[Any, ...]]] = {}
    for number, *figures in sorted(workspace.fetch("count/level_sizes", labels=labels, heights=heights, cells=cells)):
        levels.setdefault(number, []).append(tuple(figures))
    for column, slot in zip(columns, slots, strict=True):
        table = workspace.tables.create(f"labels_{column.number}", "count/label_table", labels=labels, number=column.number)
        workspace.tables.index(table, "part")
        yield _coded(column, table, slot, levels[column.number], cells)
    workspace.tables.drop(labels)


def _coded(column: CodedLeaves, labels: TableName, slot: KeySlot, levels: list[tuple[Any, ...]], cells: list[str]) -> CodedColumn:
    """Return a column with the figures of its levels: level, losses, labels, distinct labels."""
    return CodedColumn(
        column.quasi_identifier,
        column.hierarchy_table,
        labels,
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


def _code_leaves(workspace: Workspace, column: LabelledColumn, slot: KeySlot, *, ranked: bool) -> CodedLeaves:
    """Create the hierarchy table of a column: its leaves with codes."""
    q = column.quasi_identifier
    arguments: dict[str, Any] = {"labelled": column.labelled, "height": column.height, "stride": slot.stride}
    if ranked and not q.column.is_numeric:
        hierarchy = workspace.tables.create(f"hierarchy_{q.number}", "count/hierarchy_table/by_tree", **arguments)
    else:
        hierarchy = workspace.tables.create(f"hierarchy_{q.number}", "count/hierarchy_table/by_order", by_list=not ranked, **arguments)
    workspace.tables.index(hierarchy, "value", is_text=q.column.kind == "text", is_lookup=True)
    workspace.tables.index(hierarchy, "part_0")
    return CodedLeaves(q, hierarchy, column.height, column.unlisted)
