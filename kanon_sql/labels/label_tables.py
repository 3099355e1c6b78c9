"""The leaves of counted columns, each with a label on every level of its column's hierarchy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kanon_sql.artifacts import QuasiIdentifier
from kanon_sql.errors import HierarchyError
from kanon_sql.hierarchy import Dates, FromTable, Intervals, Listed, Listing, Mask, NumberRule, TopBottom
from kanon_sql.labels.leaves import typed_leaves
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace

COVERED_TOGETHER = 100  # columns in one statement; SQLite unites 500 selects at most


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


def label_leaves(workspace: Workspace, combinations: TableName, q: QuasiIdentifier) -> LabelledColumn:
    """The column's leaves with a label on every level."""
    rule = q.hierarchy
    leaves = workspace.tables.create(
        f"leaves_{q.number}",
        f"labels/leaves/{_leaf_template(q.column)}",
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
    labelled = workspace.tables.create(f"labelled_{q.number}", rule.template, leaves=leaves, **arguments)
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
    file = workspace.tables.load(f"file_{q.number}", columns, typed_leaves(q.column, rule))
    beyond = len(rule.lines) + 1
    height, has_root = rule.height, rule.has_root
    if height == 0 and workspace.fetch_one("labels/unlisted", leaves=leaves, file=file) != (0,):
        height, has_root = 1, False  # a lone leaf is a root only while nothing stands beside it
    labelled = workspace.tables.create(
        f"labelled_{q.number}",
        "labels/levels/listed",
        leaves=leaves,
        file=file,
        height=height,
        has_root=has_root,
        unlisted_to_root=rule.unlisted == "root",
        beyond=beyond,
    )
    if isinstance(rule, Listed) and rule.has_odd_first_line:
        _require_no_header(workspace, labelled, q, rule)
    return LabelledColumn(q, labelled, height, beyond)


def _require_no_header(workspace: Workspace, labelled: TableName, q: QuasiIdentifier, rule: Listed) -> None:
    """Refuse an odd first line that no row has, if the others all occur in the column, or some do and all have one root."""
    first_rows, missing = workspace.fetch_one("labels/missing_leaves", labelled=labelled, leaves=len(rule.lines))
    others = len(rule.lines) - 1
    if not first_rows and missing < others and (rule.others_have_root or not missing):
        raise HierarchyError(
            f"column {q.column.name!r}: the first line of {rule.where} looks like a header: the column has no such value, and no "
            f"other line has its labels. Write {{csv: {rule.csv}, header: true}}, or header: false if it is a leaf"
        )


def _leaf_template(column: Column) -> str:
    if column.kind in ("date", "timestamp"):
        return column.kind
    return "number" if column.is_numeric else "category"


def covered_leaves(workspace: Workspace, columns: Sequence[LabelledColumn]) -> dict[int, int]:
    """The number of leaves per column, or an error that counts the values without a label."""
    counts, problems = {}, []
    by_number = {column.number: column.quasi_identifier for column in columns}
    found = [
        row
        for start in range(0, len(columns), COVERED_TOGETHER)
        for row in workspace.fetch("labels/coverage", columns=columns[start : start + COVERED_TOGETHER])
    ]
    for number, leaves, values, rows in found:
        counts[number] = leaves
        if values:
            problems.append(_uncovered(by_number[number], values, rows))
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
