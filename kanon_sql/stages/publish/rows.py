"""The query that joins every source row with its class: by the key of its codes, or by the table of combinations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kanon_sql.artifacts import CodedColumn, LabelledTable, NodeAssignment, Profile, Recoding
from kanon_sql.labels.levels import require_joinable
from kanon_sql.lattice import Node
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class PublishedColumn:
    """A column of the release: from the class, from a table of pseudonyms, from the source row, or NULL."""

    column: Column
    from_class: str | None = None
    pseudonyms: TableName | None = None
    found: str = "pseudonym"  # the column of that table
    original: Column | None = None
    is_null: bool = False
    position: int = 0  # among the columns of the release

    @property
    def is_carried(self) -> bool:
        """Return whether the value is selected with the source row."""
        return self.from_class is None and not self.is_null


@dataclass(frozen=True)
class CodeColumn:
    """A code that distinguishes rows of one combination: its name, its column of the source, and the table of its codes."""

    name: str
    column: Column
    table: TableName


def select_rows(workspace: Workspace, profile: Profile, recoding: Recoding, published: Sequence[PublishedColumn]) -> str:
    """Return the query for the rows of the release, ordered by class."""
    match recoding.assignment:
        case NodeAssignment(node):
            return _by_key(workspace, profile, recoding, node, published)
        case LabelledTable() as table:
            return _by_table(workspace, profile, recoding, table, published)
    raise AssertionError(f"a recoding is of a rule or a table, not {type(recoding.assignment).__name__}")


def _by_key(workspace: Workspace, profile: Profile, recoding: Recoding, node: Node, published: Sequence[PublishedColumn]) -> str:
    """Return the query that joins one hierarchy per column and the classes of a node."""
    columns = list(zip(recoding.frequencies.columns, node, strict=True))
    _require_joins(workspace, sum(level < column.height for column, level in columns), published)
    keys: dict[int, list[tuple[CodedColumn, int]]] = {}
    for column, level in columns:
        if level < column.height:
            keys.setdefault(column.key, []).append((column, level))
    return workspace.select(
        "publish/by_hierarchies" if workspace.backend.keeps_derived_order else "publish/by_hierarchies_sorted_last",
        source=profile.source,
        classes=recoding.table,
        columns=columns,
        keys=list(keys.values()),
        published=published,
        whole_persons=published[-1] if recoding.frequencies.whole_persons else None,
    )


def _by_table(
    workspace: Workspace, profile: Profile, recoding: Recoding, table: LabelledTable, published: Sequence[PublishedColumn]
) -> str:
    """Return the query that joins the table of combinations and their classes."""
    _require_joins(workspace, sum(column.height > 0 for column in recoding.frequencies.columns), published)
    keys: dict[int, list[CodedColumn]] = {}
    for column in recoding.frequencies.columns:
        if column.height > 0:
            keys.setdefault(column.key, []).append(column)
    return workspace.select(
        "publish/by_recoding" if workspace.backend.keeps_derived_order else "publish/by_recoding_sorted_last",
        source=profile.source,
        assignments=table.table,
        classes=recoding.table,
        keys=list(keys.values()),
        splits=table.splits_combinations,
        keyed="publish/numbered.sql" if table.splits_combinations else "publish/keyed.sql",
        codes=_codes(profile, recoding) if table.splits_combinations else (),
        published=[replace(p, position=position) for position, p in enumerate(published, start=1)],
    )


def _require_joins(workspace: Workspace, columns: int, published: Sequence[PublishedColumn]) -> None:
    """Raise an error if one statement cannot join a row with its class, its quasi-identifiers and its pseudonyms."""
    require_joinable(workspace, columns + sum(column.pseudonyms is not None for column in published) + 2)


def _codes(profile: Profile, recoding: Recoding) -> list[CodeColumn]:
    """Return the codes of sensitive values and persons."""
    frequencies = recoding.frequencies
    codes = [CodeColumn(f"value_{v.number}", v.q.column, v.codes) for v in frequencies.values]
    if profile.entity is not None and frequencies.persons is not None:
        codes.append(CodeColumn("person", profile.entity, frequencies.persons))
    return codes
