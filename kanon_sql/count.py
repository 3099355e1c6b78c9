"""Counts the source once: hierarchy tables with codes and labels, and the frequency table in codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kanon_sql.artifacts import CodedColumn, FrequencyTable, LevelLoss, Profile, QuasiIdentifier
from kanon_sql.errors import HierarchyError, KanonError, RequestError
from kanon_sql.hierarchy import Dates, FromTable, Intervals, Listed, Listing, Mask, NumberRule, TopBottom
from kanon_sql.leaves import typed_leaves
from kanon_sql.metrics import CELL_METRICS
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace

# Codes of several columns are packed into one 64-bit integer as long as it has room.
KEY_CAPACITY = 2**62


@dataclass(frozen=True)
class LabelledColumn:
    """A quasi-identifier whose leaves have their labels."""

    quasi_identifier: QuasiIdentifier
    labelled: TableName
    height: int
    beyond: int

    @property
    def number(self) -> int:
        return self.quasi_identifier.number


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
    beyond: int

    @property
    def number(self) -> int:
        return self.quasi_identifier.number


def count_combinations(
    workspace: Workspace, profile: Profile, *, at_least: int = 1, splits: Mapping[str, TableName] | None = None
) -> FrequencyTable:
    """The frequency table of the source, from one grouping of it by its raw values."""
    counted = (*profile.quasi_identifiers, *([profile.label] if profile.label else []))
    combinations = workspace.create("combinations", "count/combinations", source=profile.source, quasi_identifiers=counted)
    rows, count = workspace.fetch_one("count/counted", combinations=combinations)
    if rows == 0:
        raise RequestError(f"{profile.title} is empty; there is nothing to publish")
    if rows < at_least:
        raise RequestError(f"{profile.title} has {rows} rows, fewer than k = {at_least}; no release of it can be {at_least}-anonymous")
    labelled = [_label(workspace, _with_splits(workspace, combinations, q, splits or {}), q) for q in counted]
    coded = _code(workspace, labelled, ranked=profile.ranked)
    shape = {"columns": coded, "leaves_only": profile.ranked}  # regions are cut from leaves, not from levels
    table = workspace.create("frequencies", "count/frequency_table", combinations=combinations, **shape)
    workspace.forget(combinations)
    coded_rows, uncoded = workspace.fetch_one("count/coded", frequencies=table, columns=coded)
    if uncoded or coded_rows != rows:
        raise KanonError(f"coding {rows} rows gave {coded_rows}, {uncoded} combinations without a code; nothing was published")
    label = coded[-1] if profile.label else None
    return FrequencyTable(table, rows, count, coded[: len(profile.quasi_identifiers)], label)


def _with_splits(workspace: Workspace, combinations: TableName, q: QuasiIdentifier, splits: Mapping[str, TableName]) -> TableName:
    """Where the values of a column are: the combinations, and where a plan cuts it the values of these cuts too."""
    if q.column.name not in splits:
        return combinations
    given = {"combinations": combinations, "q": q, "splits": splits[q.column.name]}
    return workspace.create(f"values_{q.number}", "count/with_splits", **given)


def _label(workspace: Workspace, combinations: TableName, q: QuasiIdentifier) -> LabelledColumn:
    """The column's leaves with a label on every level."""
    rule = q.hierarchy
    leaves = workspace.create(
        f"leaves_{q.number}",
        f"count/leaves/{_leaf_template(q.column)}",
        combinations=combinations,
        q=q,
        spelled=isinstance(rule, TopBottom),
    )
    if isinstance(rule, Listing):
        return _label_listed(workspace, leaves, q, rule)
    arguments: dict[str, Any] = {}
    match rule:
        case NumberRule():
            arguments = _number_arguments(q.column, rule)
        case Mask():
            arguments = {"hide": rule.mask.hide, "char": ord(rule.mask.char)}
        case Dates():
            arguments = {"units": rule.dates}
    labelled = workspace.create(f"labelled_{q.number}", rule.template, leaves=leaves, **arguments)
    return LabelledColumn(q, labelled, rule.height, beyond=1)


def _number_arguments(column: Column, rule: NumberRule) -> dict[str, Any]:
    """What the template of a rule for numbers needs."""
    return {
        "kind": column.kind,
        "levels": rule.levels,
        "rounds": any(level.how == "round" for level in rule.levels),
        "top_bottom": isinstance(rule, TopBottom),
        "start": rule.start if isinstance(rule, Intervals) else 0,
        "bottom": rule.bottom if isinstance(rule, TopBottom) else None,
        "top": rule.top if isinstance(rule, TopBottom) else None,
        "decimals": rule.decimals,
        "scale": rule.scale,
    }


def _label_listed(workspace: Workspace, leaves: TableName, q: QuasiIdentifier, rule: Listing) -> LabelledColumn:
    text = workspace.backend.exact_text_type
    labels = len(rule.lines[0].cells) - 1
    columns = [
        Column("value", text if q.column.kind == "text" else q.column.type, q.column.kind),
        Column("position", "double precision", "float"),
        Column("listed", "integer", "integer"),
        *(Column(f"label_{level}", text, "text") for level in range(1, labels + 1)),
    ]
    file = workspace.load(f"file_{q.number}", columns, typed_leaves(q.column, rule))
    beyond = len(rule.lines) + 1
    height, has_root = rule.height, rule.has_root
    if height == 0 and workspace.fetch_one("count/beyond_file", leaves=leaves, file=file) != (0,):
        height, has_root = 1, False  # a lone leaf is a root only while nothing stands beside it
    labelled = workspace.create(
        f"labelled_{q.number}",
        "count/labels/listed",
        leaves=leaves,
        file=file,
        height=height,
        has_root=has_root,
        unlisted_to_root=rule.unlisted == "root",
        beyond=beyond,
    )
    return LabelledColumn(q, labelled, height, beyond)


def _leaf_template(column: Column) -> str:
    if column.kind in ("date", "timestamp"):
        return column.kind
    return "number" if column.is_numeric else "category"


def _code(workspace: Workspace, columns: list[LabelledColumn], *, ranked: bool) -> tuple[CodedColumn, ...]:
    """Each column with its codes, its level sizes and its place in the packed class key."""
    leaves = _covered_leaves(workspace, columns)
    places = _places([leaves[column.number] for column in columns])
    tables = [_hierarchy_tables(workspace, column, place, ranked=ranked) for column, place in zip(columns, places, strict=True)]
    cells = [metric.cell for metric in CELL_METRICS]
    levels: dict[int, list[tuple[Any, ...]]] = {}
    for number, *figures in sorted(workspace.fetch("count/level_sizes", columns=tables, cells=cells)):
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
        beyond=column.beyond,
        losses={
            cell: tuple(LevelLoss(*map(float, figures[start : start + 3])) for figures in levels)
            for start, cell in zip(range(1, 1 + 3 * len(cells), 3), cells, strict=True)
        },
    )


def _covered_leaves(workspace: Workspace, columns: list[LabelledColumn]) -> dict[int, int]:
    """The number of leaves per column, or an error that counts the values without a label."""
    counts, problems = {}, []
    for number, leaves, values, rows in workspace.fetch("count/coverage", columns=columns):
        counts[number] = leaves
        if values:
            problems.append(_uncovered(columns[number - 1].quasi_identifier, values, rows))
    if problems:
        raise HierarchyError("\n".join(problems))
    return counts


def _uncovered(q: QuasiIdentifier, values: int, rows: int) -> str:
    found = f"column {q.column.name!r}: {values} distinct values in {rows} rows"
    match q.hierarchy:
        case Listed(csv=given):
            return f"{found} are not listed in {given}; add them, or map them to the root with {{csv: {given}, unlisted: root}}"
        case FromTable(table=given):
            return f"{found} are not listed in table {given}; add them, or map them to the root with {{table: {given}, unlisted: root}}"
        case Listing():
            return (
                f"{found} are not listed in its tree; add them (numbers that begin with 0 in quotes), "
                "or map them to the root with unlisted: root beside tree"
            )
    return f"{found} do not fit its hierarchy (the column has type {q.column.type_name})"


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
    hierarchy = workspace.create(
        f"hierarchy_{number}", "count/hierarchy_table", labelled=column.labelled, height=height, stride=place.stride, order=order
    )
    workspace.index(hierarchy, "value", is_text=column.quasi_identifier.column.kind == "text")
    labels = workspace.create(
        f"labels_{number}",
        "count/label_table",
        hierarchy=hierarchy,
        height=height,
        numeric=column.quasi_identifier.column.is_numeric,
        beyond=column.beyond,
    )
    workspace.index(hierarchy, "part_0")
    workspace.index(labels, "part")
    workspace.forget(column.labelled)
    return HierarchyTables(column.quasi_identifier, hierarchy, labels, height, column.beyond)
