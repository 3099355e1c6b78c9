"""Count a table: each column, pairs of columns and the current risk. Values are read on request only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from kanon_sql.artifacts import Risk
from kanon_sql.hierarchy import GROUPABLE
from kanon_sql.stages.profile.defaults import ColumnSample, finite
from kanon_sql.stages.profile.roles import Shape
from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.workspace import Workspace

SURVEYED_ROWS = 1_000_000
MOST_PAIRED = 8
PER_STATEMENT = 20


@dataclass(frozen=True)
class SurveyedColumn:
    """The counts of a column in the rows that were read."""

    number: int
    column: Column
    rows: int
    sample: ColumnSample
    unique_rows: int
    shape: Shape
    misfits: int

    @property
    def kind(self) -> str:
        return self.column.kind

    @property
    def nulls(self) -> int:
        return self.rows - self.sample.values


@dataclass(frozen=True)
class Pair:
    """The number of rows that two columns identify together."""

    columns: tuple[str, str]
    classes: int
    unique_rows: int


@dataclass(frozen=True)
class Survey:
    """The rows that were read, and the counts of each column that can be counted."""

    sample: TableName
    columns: dict[str, SurveyedColumn]


def survey(workspace: Workspace, source: TableDescription) -> Survey:
    """Return the counts of every column that can be counted, from the first rows of a table."""
    columns = [column for column in source.columns if column.kind in GROUPABLE]
    if not columns:
        return Survey(source.name, {})
    sample = workspace.tables.create("sample", "profile/survey/sample", source=source.name, columns=columns, rows=SURVEYED_ROWS)
    asked = [{"number": number, "kind": column.kind} for number, column in enumerate(columns, start=1)]
    misfits: dict[int, int] = {}
    surveyed = {}
    for chunk in _chunks(asked):
        misfits |= dict(workspace.fetch("profile/survey/misfits", sample=sample, columns=chunk))
        for number, *figures in workspace.fetch("profile/survey/columns", sample=sample, columns=chunk):
            column = columns[number - 1]
            surveyed[column.name] = _surveyed(number, column, figures, misfits[number])
    ordered = {column.name: surveyed[column.name] for column in columns}
    return Survey(sample, ordered)


def count_pairs(workspace: Workspace, surveyed: Survey, names: Sequence[str]) -> list[Pair]:
    """Return pairs of columns, those that identify the most rows first."""
    chosen = sorted((surveyed.columns[name] for name in names), key=lambda c: (-c.sample.distinct, c.number))[:MOST_PAIRED]
    by_number = {column.number: column.column.name for column in chosen}
    found = []
    for chunk in _chunks(list(combinations(sorted(by_number), 2))):
        for first, second, classes, unique in workspace.fetch("profile/survey/pairs", sample=surveyed.sample, pairs=chunk):
            found.append(Pair((by_number[first], by_number[second]), classes, unique))
    return sorted(found, key=lambda pair: (-pair.unique_rows, -pair.classes, pair.columns))


def spread_rows(workspace: Workspace, surveyed: Survey, names: Sequence[str], *, step: int, rows: int) -> TableName:
    """Return a smaller sample, spread evenly over the surveyed rows, with some of the columns under the same names."""
    numbers = sorted(surveyed.columns[name].number for name in names)
    return workspace.tables.create(
        "spread_rows", "profile/survey/spread_rows", sample=surveyed.sample, numbers=numbers, step=step, rows=rows
    )


def count_risk(workspace: Workspace, source: TableName, quasi_identifiers: Sequence[Column], k: int) -> Risk:
    """Return the classes of the whole table by its original values."""
    return Risk(*workspace.fetch_one("profile/survey/risk", source=source, quasi_identifiers=quasi_identifiers, k=k))


def shared_values(workspace: Workspace, surveyed: Survey, name: str, k: int) -> list[tuple[str, int]]:
    """Return the values of a column that at least k rows share, with the number of these rows."""
    column = surveyed.columns[name]
    asked = {"sample": surveyed.sample, "number": column.number, "kind": column.kind, "k": k}
    return [(str(value), rows) for value, rows in workspace.fetch("profile/survey/shared_values", **asked)]


def _surveyed(number: int, column: Column, figures: Sequence[Any], misfits: int) -> SurveyedColumn:
    rows, filled, distinct, unique, shortest, longest, addresses, digits, iso_dates, smallest, largest = figures
    sample = ColumnSample(filled, distinct, shortest, longest, finite(smallest), finite(largest))
    return SurveyedColumn(number, column, rows, sample, unique, Shape(addresses, digits, iso_dates), misfits)


def _chunks(items: list[Any]) -> Iterator[list[Any]]:
    return (items[start : start + PER_STATEMENT] for start in range(0, len(items), PER_STATEMENT))
