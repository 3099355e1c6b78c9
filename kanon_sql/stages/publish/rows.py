"""The query of the release: every source row finds its class by the key of its codes, and rows are sorted before labels are joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kanon_sql.artifacts import CodedColumn, LabelledTable, NodeAssignment, Profile, Recoding
from kanon_sql.labels.levels import require_joinable
from kanon_sql.labels.row_parts import row_keys
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
    """Return the query for the rows of the release, ordered by class and at random within a class."""
    assigned = _assigned(recoding)
    _require_joins(workspace, len(assigned.parts), published)
    positioned = [replace(p, position=position) for position, p in enumerate(published, start=1)]
    return workspace.select(
        "publish/release" if workspace.backend.keeps_derived_order else "publish/release_sorted_last",
        source=profile.source,
        assigned=assigned.table,
        classes=recoding.table,
        keys=row_keys(workspace, assigned.parts),
        splits=assigned.splits_combinations,
        keyed="publish/numbered.sql" if assigned.splits_combinations else "publish/keyed.sql",
        codes=_codes(profile, recoding) if assigned.splits_combinations else (),
        published=positioned,
        whole_persons=positioned[-1] if recoding.frequencies.whole_persons else None,
    )


@dataclass(frozen=True)
class _Assigned:
    """The table in which a row finds its class, and the columns whose parts, each at a level, add up to the key there."""

    table: TableName
    parts: list[tuple[CodedColumn, int]]
    splits_combinations: bool = False


def _assigned(recoding: Recoding) -> _Assigned:
    """Return how a row finds its class: by the key of a node in the class table, or in a table of combinations."""
    columns = [column for column in recoding.frequencies.columns if column.height > 0]
    match recoding.assignment:
        case NodeAssignment(node):
            levels = zip(recoding.frequencies.columns, node, strict=True)
            return _Assigned(recoding.table, [(column, level) for column, level in levels if level < column.height])
        case LabelledTable() as table:
            return _Assigned(table.table, [(column, 0) for column in columns], table.splits_combinations)
    raise AssertionError(f"a recoding is of a rule or a table, not {type(recoding.assignment).__name__}")


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
