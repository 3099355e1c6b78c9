"""Builds the staged table from the source and the recoding, and gives it its name."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.artifacts import CodedColumn, Profile, QuasiIdentifier, Recoding, StagedTable
from kanon_sql.catalog import has_schema, may_read, resolve, tables_referring_to
from kanon_sql.errors import RequestError
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class PublishedColumn:
    """A column of the release: taken from the class, or carried over from the source row."""

    column: Column
    from_class: str | None


@dataclass(frozen=True)
class Target:
    """Where the release goes, and whether a table there makes way for it."""

    name: TableName
    replaces: bool


def check_target(workspace: Workspace, source: TableName, target: TableName, *, replace: bool) -> Target:
    """The target, proven to be free or replaceable and not the source."""
    limit = workspace.backend.name_limit(target.table)
    if limit:
        raise RequestError(f"the target's name is too long; this database takes {limit}")
    if len(target.parts) == 1:
        target = source.sibling(target.table)
    if not has_schema(workspace, target):
        raise RequestError(f"the target {target} cannot be made: there is no schema {'.'.join(target.parts[:-1])}")
    found = resolve(workspace, target)
    if found is None:
        return Target(target, replaces=False)
    if found.name == source:
        raise RequestError(f"the target {target} is the source itself; publish into another table")
    if not found.is_table:
        raise RequestError(f"the target {target} is a view; choose another name")
    if not replace:
        raise RequestError(
            f"the target {target} exists; choose another name, or replace it (publish: {{replace: true}}, --replace, replace=True)"
        )
    if may_read(workspace, source, found.name):
        raise RequestError(f"the source {source} seems to read the target {target}, which would be replaced; choose another name")
    referring = tables_referring_to(workspace, found.name)
    if referring:
        raise RequestError(f"the target {target} cannot be replaced: foreign keys of {', '.join(referring)} point to it")
    return Target(found.name, replaces=True)


def publish(workspace: Workspace, profile: Profile, recoding: Recoding, target: Target) -> StagedTable:
    """The staged table: the source's rows under the labels of their class, in a fresh random order."""
    columns = list(zip(recoding.frequencies.columns, recoding.node, strict=True))
    keys: dict[int, list[tuple[CodedColumn, int]]] = {}
    for column, level in columns:
        if level < column.height:
            keys.setdefault(column.key, []).append((column, level))
    published = _published_columns(workspace, profile, recoding)
    table = workspace.stage_table(
        target.name,
        [p.column for p in published],
        "publish/by_hierarchies" if workspace.backend.keeps_derived_order else "publish/by_hierarchies_sorted_last",
        source=profile.source,
        classes=recoding.table,
        columns=columns,
        keys=list(keys.values()),
        published=published,
    )
    return StagedTable(table, tuple(p.column for p in published if p.column.name in profile.published_names))


def _published_columns(workspace: Workspace, profile: Profile, recoding: Recoding) -> list[PublishedColumn]:
    """The columns of the release, in the source's order; labels are text, values keep their type."""
    levels = {column.column.name: level for column, level in zip(recoding.frequencies.columns, recoding.node, strict=True)}
    columns = []
    for column in profile.columns:
        q = profile.by_column.get(column.name)
        if q is not None and q.has_bounds:
            columns += _bounds(q, levels[column.name])
        elif q is None or (levels[column.name] == 0 and column.kind == "text" and workspace.backend.carries_text):
            columns.append(PublishedColumn(column, None))
        elif levels[column.name] == 0:
            columns.append(PublishedColumn(column, f"value_{q.number}"))
        else:
            label = Column(column.name, workspace.backend.text_type, "text")
            columns.append(PublishedColumn(label, f"label_{q.number}"))
    return columns


def _bounds(q: QuasiIdentifier, level: int) -> list[PublishedColumn]:
    """The two columns a quasi-identifier is published as: at level 0 both are the value."""
    sources = ("value", "value") if level == 0 else ("low", "high")
    return [
        PublishedColumn(Column(name, q.column.type, q.column.kind), f"{source}_{q.number}")
        for name, source in zip(q.published_names, sources, strict=True)
    ]


def swap(workspace: Workspace, staged: StagedTable, target: Target) -> None:
    """Gives the staged table the target's name and ends the run."""
    workspace.publish_as(staged.table, target.name, replaces=target.replaces)
