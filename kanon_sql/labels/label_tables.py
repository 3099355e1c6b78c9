"""The leaves of counted columns, each with a label on every level of its column's hierarchy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.artifacts import QuasiIdentifier
from kanon_sql.common.spelling import many
from kanon_sql.errors import HierarchyError
from kanon_sql.hierarchy import Listing
from kanon_sql.labels.leaves import typed_leaves
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace

COVERED_TOGETHER = 100  # columns in one statement; SQLite unites at most 500 selects


@dataclass(frozen=True)
class LabelledColumn:
    """A quasi-identifier whose leaves have their labels."""

    quasi_identifier: QuasiIdentifier
    labelled: TableName
    height: int
    unlisted: int  # the position in the list of values that the hierarchy does not list

    @property
    def number(self) -> int:
        return self.quasi_identifier.number


def label_leaves(workspace: Workspace, combinations: TableName, q: QuasiIdentifier) -> LabelledColumn:
    """Return the column's leaves with a label on every level."""
    rule = q.hierarchy
    leaves = workspace.tables.create(
        f"leaves_{q.number}",
        f"labels/leaves/{_leaf_template(q.column)}",
        combinations=combinations,
        q=q,
        spelled=rule.spells_values,
    )
    if rule.listing is not None:
        return _label_listed(workspace, leaves, q, rule.listing)
    template, arguments = rule.labels(q.column)
    labelled = workspace.tables.create(f"labelled_{q.number}", template, leaves=leaves, **arguments)
    return LabelledColumn(q, labelled, rule.height, unlisted=1)


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
    height, has_root = rule.height, rule.has_root
    if height == 0 and workspace.fetch_one("labels/unlisted", leaves=leaves, file=file) != (0,):
        height, has_root = 1, False  # a single leaf is the root only if the column has no other value
    template, arguments = rule.labels(q.column)
    root = "of_file" if has_root and height > 0 else "star"
    shape = {"leaves": leaves, "file": file, "height": height, "has_root": has_root, "root_template": f"labels/levels/root/{root}.sql"}
    labelled = workspace.tables.create(f"labelled_{q.number}", template, **shape, **arguments)
    if rule.may_have_header:
        _require_no_header(workspace, labelled, q, rule)
    return LabelledColumn(q, labelled, height, rule.unlisted_position)


def _require_no_header(workspace: Workspace, labelled: TableName, q: QuasiIdentifier, rule: Listing) -> None:
    """Raise if no row has the first line's leaf, and the others all occur in the column, or some do and all have one root."""
    first_rows, missing = workspace.fetch_one("labels/missing_leaves", labelled=labelled, leaves=len(rule.lines))
    others = len(rule.lines) - 1
    others_have_root = len({line.cells[-1] for line in rule.lines[1:]}) == 1
    if not first_rows and missing < others and (others_have_root or not missing):
        raise HierarchyError(
            f"column {q.column.name!r}: the first line of {rule.where} seems to be a header: the column has no such value, and no "
            f"other line has its labels. {rule.header_advice}"
        )


def _leaf_template(column: Column) -> str:
    if column.kind in ("date", "timestamp"):
        return column.kind
    return "number" if column.is_numeric else "category"


def covered_leaves(workspace: Workspace, columns: Sequence[LabelledColumn]) -> dict[int, int]:
    """Return the number of leaves per column, or raise with the number of values that have no label."""
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
            column, rule = by_number[number].column, by_number[number].hierarchy
            count = f"{many(values, 'distinct value')} in {many(rows, 'row')}"
            problems.append(f"column {column.name!r}: {rule.describe_uncovered(count, column)}")
    if problems:
        raise HierarchyError("\n".join(problems))
    return counts
