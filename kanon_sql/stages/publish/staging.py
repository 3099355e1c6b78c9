"""Create the staging table from the source and the recoding, and rename it to the target."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kanon_sql.artifacts import Identifier, Profile, Recoding, StagedTable
from kanon_sql.errors import RequestError
from kanon_sql.stages.publish.pseudonyms import make_pseudonyms
from kanon_sql.stages.publish.rows import PublishedColumn, select_rows
from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import has_schema, may_read, resolve

PERSON = "__kanon_person"

# Types that take any small number, unlike years and domains, which may refuse some.
_PLAIN_INTEGER = re.compile(r"(unsigned )?((tiny|small|medium|big|huge|u) ?)*int(eger|\d)?(\(\d+\))?( unsigned| zerofill)*", re.IGNORECASE)


@dataclass(frozen=True)
class StagedSelect:
    """The query that fills the staging table, and the columns of the release; `person` is one more column, only for verify."""

    select: str
    quasi_identifiers: tuple[Column, ...]
    released: tuple[Column, ...]
    person: Column | None

    @property
    def columns(self) -> list[Column]:
        """Return the columns of the staging table."""
        return [*self.released, *([self.person] if self.person else [])]

    def staged_in(self, table: TableName) -> StagedTable:
        """Return the staging table that this query has filled."""
        return StagedTable(table, self.quasi_identifiers, self.released, self.person)


@dataclass(frozen=True)
class Target:
    """The name of the release, and whether it replaces a table."""

    name: TableName
    replaces: bool


def check_target(workspace: Workspace, source: TableDescription, target: TableName, *, replace: bool) -> Target:
    """Return the target; raise an error if its name is taken, or if the run reads it."""
    limit = workspace.backend.types.name_limit(target.table)
    if limit:
        raise RequestError(f"the target's name is too long; this database allows {limit}")
    if len(target.parts) == 1:
        target = source.name.sibling(target.table)
    if not has_schema(workspace, target):
        raise RequestError(f"the target {target} cannot be created: schema {'.'.join(target.parts[:-1])} does not exist")
    found = resolve(workspace, target)
    if found is None:
        return Target(target, replaces=False)
    if found.name == source.name:
        raise RequestError(f"the target {target} is the source itself; publish into another table")
    if not found.is_table:
        raise RequestError(f"the target {target} is a view; choose another name")
    if not replace:
        raise RequestError(
            f"the target {target} exists; choose another name, or replace it (publish: {{replace: true}}, --replace, replace=True)"
        )
    reads = source.reads or (source.name,)
    if any(may_read(workspace, name, found.name) for name in reads) or _mentions(source.reads, found.name):
        raise RequestError(f"{source.title} seems to read the target {target}, which would be replaced; choose another name")
    return Target(found.name, replaces=True)


def _mentions(reads: Sequence[TableName], target: TableName) -> bool:
    """Return whether a query reads a table with the target's name in any schema; conservatively true."""
    return any(name.table.casefold() == target.table.casefold() for name in reads)


def publish(
    workspace: Workspace, profile: Profile, recoding: Recoding, label_column: Callable[[Column], Column] | None = None
) -> StagedSelect:
    """Return the query for the release: the source's rows with labels, ordered by class and at random within a class."""
    labelled = label_column or (lambda column: _text(workspace, column))
    published = _published_columns(workspace, profile, recoding, labelled)
    person = _person(profile, recoding)
    columns = [p.column for p in published]
    if person is not None:
        published = [*published, person]
    select = select_rows(workspace, profile, recoding, published)
    quasi_identifiers = tuple(column for column in columns if column.name in profile.published_names)
    return StagedSelect(select, quasi_identifiers, tuple(columns), person.column if person else None)


def drop_person(workspace: Workspace, staged: StagedTable) -> None:
    """Drop the codes of persons from a staging table that becomes the release; otherwise rows are copied without them."""
    if staged.person is not None and workspace.permanent.contains(staged.table):
        workspace.define("workspace/ddl/drop_column", table=staged.table, column=staged.person)


def _person(profile: Profile, recoding: Recoding) -> PublishedColumn | None:
    """Return a last column with the codes of persons, under an unused name, for verify to count them."""
    persons = recoding.frequencies.persons
    if profile.entity is None or persons is None:
        return None
    name = PERSON
    while any(column.name.startswith(name) for column in profile.columns):
        name += "_"
    return PublishedColumn(Column(name, "bigint", "integer"), pseudonyms=persons, found="code", original=profile.entity)


def _published_columns(
    workspace: Workspace, profile: Profile, recoding: Recoding, label_column: Callable[[Column], Column]
) -> list[PublishedColumn]:
    """Return the columns of the release in the source's order; labels are text, values keep their type."""
    names = [column.column.name for column in recoding.frequencies.columns]
    levels = {name: recoding.assignment.level_at(index) for index, name in enumerate(names)}
    replaced = {identifier.column.name: _replaced(workspace, profile, identifier, label_column) for identifier in profile.identifiers}
    columns = []
    for column in profile.columns:
        q = profile.by_column.get(column.name)
        released = _released(profile, column, levels.get(column.name), label_column)
        if column.name in replaced:
            columns.append(replaced[column.name])
        elif q is None or (levels[column.name] == 0 and column.kind == "text" and workspace.backend.carries_text):
            columns.append(PublishedColumn(column))
        else:
            sources = q.output.sources(levels[column.name])
            columns += [PublishedColumn(c, from_class=f"{source}_{q.number}") for c, source in zip(released, sources, strict=True)]
    return columns


def release_types(workspace: Workspace, profile: Profile, levels: Mapping[str, int]) -> dict[str, str]:
    """Return the column types of a new release; columns without a level hold labels, and types that list values omit the list."""
    columns = [
        released
        for column in profile.columns
        for released in _released(profile, column, levels.get(column.name), lambda column: _text(workspace, column))
    ]
    return {column.name: column.type_name if "'" in column.type else column.type for column in columns}


def released_columns(profile: Profile, recoded: frozenset[str], label_column: Callable[[Column], Column]) -> list[Column]:
    """Return the columns of the release if these quasi-identifiers are recoded and the others keep their values."""
    return [
        released
        for column in profile.columns
        for released in _released(profile, column, None if column.name in recoded else 0, label_column)
    ]


def _released(profile: Profile, column: Column, level: int | None, label_column: Callable[[Column], Column]) -> tuple[Column, ...]:
    """Return the columns of the release for a column of the source: unchanged, labels, bounds or pseudonyms."""
    action = next((identifier.action for identifier in profile.identifiers if identifier.column.name == column.name), None)
    if action == "sequence":
        is_plain = column.kind == "integer" and _PLAIN_INTEGER.fullmatch(column.type) is not None
        return (column if is_plain else Column(column.name, "bigint", "integer"),)
    if action is not None:
        return (column if action == "null" else label_column(column),)
    q = profile.by_column.get(column.name)
    return (column,) if q is None else q.output.published_columns(column, level, label_column)


def _text(workspace: Workspace, column: Column) -> Column:
    return Column(column.name, workspace.backend.text_type, "text")


def _replaced(workspace: Workspace, profile: Profile, identifier: Identifier, label_column: Callable[[Column], Column]) -> PublishedColumn:
    """Return the column of an identifier with pseudonyms or NULL instead of its values."""
    column = identifier.column
    if identifier.action == "null":
        return PublishedColumn(column, is_null=True)
    table = make_pseudonyms(workspace, profile.source, identifier, profile.columns.index(column) + 1)
    (published,) = _released(profile, column, None, label_column)
    return PublishedColumn(published, pseudonyms=table, original=column)


def swap(workspace: Workspace, staged: StagedTable, target: Target) -> None:
    """Rename the staging table to the target and commit."""
    workspace.tables.drop_all()
    workspace.permanent.rename(staged.table, target.name)
    workspace.transaction.commit()
