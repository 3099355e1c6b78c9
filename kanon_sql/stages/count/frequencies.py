"""Counts the source once: hierarchy tables with codes and labels, and the frequency table in codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from kanon_sql.artifacts import CodedColumn, FrequencyTable, LevelLoss, Profile, QuasiIdentifier
from kanon_sql.errors import KanonError, RequestError
from kanon_sql.labels.label_tables import LabelledColumn, covered_leaves, label_leaves
from kanon_sql.metrics import CELL_METRICS
from kanon_sql.stages.count.sensitive import ValueCodes, code_persons, code_values, count_references
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

# Codes of several columns are packed into one 64-bit integer as long as it has room.
KEY_CAPACITY = 2**62
JOINED = 20  # columns in one statement: planning a join takes longer than in proportion to its tables


@dataclass(frozen=True)
class KeyPlace:
    """Which packed key a column's code goes into, and what it is multiplied by there."""

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
    """The frequency table of the source, from one grouping of it by its raw values."""
    counted = (*profile.quasi_identifiers, *profile.sensitive)
    shape = {"source": profile.source, "quasi_identifiers": counted, "entity": profile.entity}
    combinations = workspace.tables.create("combinations", "count/combinations", **shape)
    rows, count = workspace.fetch_one("count/counted", combinations=combinations)
    if rows == 0:
        raise RequestError("; ".join((f"{profile.title} is empty; there is nothing to publish", *profile.hidden)))
    if rows < at_least:
        few = f"{profile.title} has {rows} rows, fewer than k = {at_least}; no release of it can be {at_least}-anonymous"
        raise RequestError("; ".join((few, *profile.hidden)))
    labelled = [label_leaves(workspace, _with_splits(workspace, combinations, q, splits or {}), q) for q in counted]
    leaves = covered_leaves(workspace, labelled)
    coded = _code(workspace, labelled[: len(profile.quasi_identifiers)], leaves, ranked=profile.ranked)
    values = code_values(workspace, labelled[len(profile.quasi_identifiers) :], profile.looked_at)
    persons = code_persons(workspace, combinations, profile.entity, at_least) if profile.entity else None
    # Regions are cut from leaves, not from levels.
    combinations, parts, left = _code_most(workspace, profile, combinations, coded)
    codes = {"coded": parts, "columns": left, "leaves_only": profile.ranked, "values": values, "persons": persons}
    table = workspace.tables.create(
        "combined" if values or persons else "frequencies", "count/frequency_table", combinations=combinations, **codes
    )
    workspace.tables.drop(combinations)
    coded_rows, uncoded = workspace.fetch_one("count/coded", frequencies=table, columns=coded, values=values, persons=persons)
    if uncoded or coded_rows != rows:
        raise KanonError(f"coding {rows} rows gave {coded_rows}, {uncoded} combinations without a code; nothing was published")
    frequencies = FrequencyTable(table, rows, count, coded)
    return _with_values(workspace, profile, frequencies, values, persons) if values or persons else frequencies


def _code_most(
    workspace: Workspace, profile: Profile, combinations: TableName, columns: Sequence[CodedColumn]
) -> tuple[TableName, list[str], Sequence[CodedColumn]]:
    """Code all but the last few columns of the combinations; return the table, the names of the parts it holds, and the columns left."""
    parts: list[str] = []
    left = [column for column in columns if column.height > 0]
    while len(left) > JOINED:
        chunk, left = left[:JOINED], left[JOINED:]
        raw = [q.value for q in (*(column.quasi_identifier for column in left), *profile.sensitive)]
        person = ["person_value"] if profile.entity is not None else []
        following = workspace.tables.create(
            f"coded_{len(left)}",
            "count/coded_columns",
            combinations=combinations,
            columns=chunk,
            leaves_only=profile.ranked,
            carried=[*parts, *raw, *person, "row_count"],
        )
        workspace.tables.drop(combinations)
        combinations = following
        parts += [c.quasi_identifier.part(level) for c in chunk for level in range(1 if profile.ranked else c.height)]
    return combinations, parts, left


def _with_splits(workspace: Workspace, combinations: TableName, q: QuasiIdentifier, splits: Mapping[str, TableName]) -> TableName:
    """Where the values of a column are: the combinations, and where a plan cuts it the values of these cuts too."""
    if q.column.name not in splits:
        return combinations
    given = {"combinations": combinations, "q": q, "splits": splits[q.column.name]}
    return workspace.tables.create(f"values_{q.number}", "count/with_splits", **given)


def _with_values(
    workspace: Workspace, profile: Profile, combined: FrequencyTable, values: tuple[ValueCodes, ...], persons: TableName | None
) -> FrequencyTable:
    """The frequency table of the quasi-identifiers alone; beside it one per sensitive value, and one of persons, for what they decide."""

    def rolled_up(name: str, values: tuple[int, ...], *, person: bool) -> TableName:
        columns = [(column, 0) for column in combined.columns]
        shape = {"columns": columns, "leaves_only": profile.ranked, "values": values, "person": person}
        return workspace.tables.create(
            name, "evaluate/rollup", frequencies=combined.table, keys=combined.key_parts(combined.bottom), **shape
        )

    if any(v.values.level or v.values.bins for v in values):  # several raw values share a code
        grouped = rolled_up("regrouped", tuple(v.number for v in values), person=persons is not None)
        workspace.tables.drop(combined.table)
        combined = replace(combined, table=grouped)
    table = rolled_up("frequencies", (), person=False)
    _, count = workspace.fetch_one("count/counted", combinations=table)
    coded = count_references(workspace, combined.table, values, persons=persons is not None)
    # Regions keep all codes of a combination together; a node is judged by one sensitive value at a time.
    alone = not profile.ranked and len(values) + (persons is not None) > 1
    if alone:
        coded = tuple(replace(v, table=rolled_up(f"valued_{v.number}", (v.number,), person=persons is not None)) for v in coded)
    person_table, person_count = None, None
    if persons is not None:
        person_table = rolled_up("person_rows", (), person=True) if alone else combined.table
        _, person_count = workspace.fetch_one("count/counted", combinations=person_table)
    if alone:
        workspace.tables.drop(combined.table)
    label = next((v for v in coded if v.values == profile.label), None)
    together = None if alone else combined.table
    return FrequencyTable(table, combined.rows, count, combined.columns, label, coded, together, person_table, persons, person_count)


def _code(workspace: Workspace, columns: list[LabelledColumn], leaves: dict[int, int], *, ranked: bool) -> tuple[CodedColumn, ...]:
    """Each column with its codes, its level sizes and its place in the packed class key."""
    places = _places([leaves[column.number] for column in columns])
    tables = [_hierarchy_tables(workspace, column, place, ranked=ranked) for column, place in zip(columns, places, strict=True)]
    cells = [metric.cell for metric in CELL_METRICS]
    levels: dict[int, list[tuple[Any, ...]]] = {}
    for start in range(0, len(tables), JOINED):
        for number, *figures in sorted(workspace.fetch("count/level_sizes", columns=tables[start : start + JOINED], cells=cells)):
            levels.setdefault(number, []).append(tuple(figures))
    return tuple(_coded(column, place, levels[column.number], cells) for column, place in zip(tables, places, strict=True))


def _coded(column: HierarchyTables, place: KeyPlace, levels: list[tuple[Any, ...]], cells: list[str]) -> CodedColumn:
    """A column with what its levels hold, each as level, losses, labels, distinct labels."""
    return CodedColumn(
        column.quasi_identifier,
        column.hierarchy_table,
        column.label_table,
        labels=tuple(figures[-2] for figures in levels),
        distinct=tuple(figures[-1] for figures in levels),
        key=place.key,
        stride=place.stride,
        codes=place.codes,
        unlisted=column.unlisted,
        losses={
            cell: tuple(LevelLoss(*map(float, figures[start : start + 3])) for figures in levels)
            for start, cell in zip(range(1, 1 + 3 * len(cells), 3), cells, strict=True)
        },
    )


def _places(leaves: list[int]) -> list[KeyPlace]:
    """Where each column's code goes: several columns share one packed key while it has room."""
    places, key, stride = [], 0, 1
    for count in leaves:
        codes = count + 1
        if stride * codes > KEY_CAPACITY:
            key, stride = key + 1, 1
        places.append(KeyPlace(key, stride, codes))
        stride *= codes
    return places


def _hierarchy_tables(workspace: Workspace, column: LabelledColumn, place: KeyPlace, *, ranked: bool) -> HierarchyTables:
    number, height = column.number, column.height
    order = "listed" if not ranked else "value" if column.quasi_identifier.column.is_numeric else "tree"
    hierarchy = workspace.tables.create(
        f"hierarchy_{number}", "count/hierarchy_table", labelled=column.labelled, height=height, stride=place.stride, order=order
    )
    workspace.tables.index(hierarchy, "value", is_text=column.quasi_identifier.column.kind == "text")
    labels = workspace.tables.create(
        f"labels_{number}",
        "count/label_table",
        hierarchy=hierarchy,
        height=height,
        numeric=column.quasi_identifier.column.is_numeric,
        unlisted=column.unlisted,
    )
    workspace.tables.index(hierarchy, "part_0")
    workspace.tables.index(labels, "part")
    workspace.tables.drop(column.labelled)
    return HierarchyTables(column.quasi_identifier, hierarchy, labels, height, column.unlisted)
