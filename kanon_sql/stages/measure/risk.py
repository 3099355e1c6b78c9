"""The risk of a table as it is: one grouping of it per column that is told of, and everything else from those groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil

from kanon_sql.artifacts.risk import Bucket, InformationRisk, PopulationFound, SetRisk, TableRisk
from kanon_sql.backends import Row
from kanon_sql.metrics import INFORMATION, RISKS, Number
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace

BUCKETS = (1, 2, 3, 5, 10, 20, 50, 100, 1000)
LARGEST_SET = 3
SETS_PER_STATEMENT = 20


@dataclass(frozen=True)
class Known:
    """A quasi-identifier as the table holds it: in one column, or in two bounds."""

    name: str
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class RiskQuestion:
    """What is asked of a table: which columns others know, what these tell of, from which risk on a row is at risk."""

    table: TableName
    known: tuple[Known, ...]
    told: tuple[Column, ...] = ()
    population: TableName | None = None
    threshold: Decimal = Decimal("0.2")
    subsets: tuple[tuple[str, ...], ...] = ()

    @property
    def columns(self) -> list[Column]:
        """The columns that classes are alike in."""
        return [column for known in self.known for column in known.columns]

    def names_there(self, names: Sequence[str]) -> list[str]:
        """What the columns of some quasi-identifiers are called among the counted combinations."""
        places = [known.name for known in self.known for _ in known.columns]
        return [f"v_{place}" for place, name in enumerate(places, start=1) if name in names]

    @property
    def largest_at_risk(self) -> int:
        """The largest class whose rows have a risk above the threshold."""
        return ceil(1 / Fraction(self.threshold)) - 1


@dataclass(frozen=True)
class Counted:
    """The classes of a table, and its combinations with each column that is told of."""

    classes: TableName
    with_told: tuple[TableName, ...]
    population_size: str = "class_size"
    population: PopulationFound | None = None


def assess_risk(workspace: Workspace, question: RiskQuestion) -> TableRisk:
    """Everything that is known of the table's risk."""
    counted = count_classes(workspace, question)
    rows, classes, smallest, unique, *figures = _figures(workspace, question, counted)
    names = tuple(known.name for known in question.known)
    asked = list(dict.fromkeys([names, *((name,) for name in names), *question.subsets]))
    information = [found for subset in asked for found in tell_information(workspace, question, counted, subset, rows)]
    return TableRisk(
        quasi_identifiers=names,
        rows=rows,
        classes=classes,
        k=smallest,
        unique_rows=unique,
        figures=dict(zip(RISKS, figures, strict=True)),
        histogram=_histogram(workspace, counted.classes),
        sets=_sets(workspace, question, counted.classes, rows),
        information=tuple(information),
        population=counted.population,
    )


def count_classes(workspace: Workspace, question: RiskQuestion) -> Counted:
    """The table grouped once per column that is told of, or once where there is none."""
    columns, width = question.columns, len(question.columns)
    with_told = tuple(
        workspace.tables.create(
            f"told_{number}", "measure/risk/counted", table=question.table, columns=[*columns, column], size="row_count"
        )
        for number, column in enumerate(question.told, start=1)
    )
    if with_told:
        classes = workspace.tables.create("risk_classes", "measure/risk/classes", counts=with_told[0], width=width)
    else:
        classes = workspace.tables.create("risk_classes", "measure/risk/counted", table=question.table, columns=columns, size="class_size")
    if question.population is None:
        return Counted(classes, with_told)
    there = workspace.tables.create("population", "measure/risk/counted", table=question.population, columns=columns, size="row_count")
    ((rows_there, _),) = workspace.fetch("count/counted", combinations=there)
    matched = workspace.tables.create("matched", "measure/risk/in_population", classes=classes, population=there, width=width)
    workspace.tables.drop(classes, there)
    found = PopulationFound(question.population, rows_there, *workspace.fetch_one("measure/risk/smaller", classes=matched))
    return Counted(matched, with_told, "population_size", found)


def risk_figures(workspace: Workspace, question: RiskQuestion, counted: Counted) -> dict[str, Number]:
    """The figures that classes alone tell."""
    return dict(zip(RISKS, _figures(workspace, question, counted)[4:], strict=True))


def _figures(workspace: Workspace, question: RiskQuestion, counted: Counted) -> Row:
    metrics = list(RISKS.values())
    arguments = {"population_size": counted.population_size, "at_most": question.largest_at_risk}
    return workspace.fetch_one("measure/risk/figures", classes=counted.classes, metrics=metrics, **arguments)


def tell_information(
    workspace: Workspace, question: RiskQuestion, counted: Counted, subset: Sequence[str], rows: int
) -> list[InformationRisk]:
    """What some quasi-identifiers together tell of each column."""
    found = []
    told_name = f"v_{len(question.columns) + 1}"
    for column, counts in zip(question.told, counted.with_told, strict=True):
        columns, metrics = question.names_there(subset), list(INFORMATION.values())
        *figures, classes, risky = workspace.fetch_one(
            "measure/risk/information", counts=counts, columns=columns, told=told_name, metrics=metrics
        )
        named: dict[str, Number] = dict(zip(INFORMATION, figures if rows else [None] * len(metrics), strict=True))
        found.append(InformationRisk(column.name, tuple(subset), named, classes, risky / rows if rows else None))
    return found


def _histogram(workspace: Workspace, classes: TableName) -> tuple[Bucket, ...]:
    ends = {smallest: above - 1 for smallest, above in pairwise(BUCKETS)}
    found = workspace.fetch("measure/risk/histogram", classes=classes, buckets=BUCKETS)
    return tuple(Bucket(smallest, ends.get(smallest), count, rows) for smallest, count, rows in found)


def _sets(workspace: Workspace, question: RiskQuestion, classes: TableName, rows: int) -> tuple[SetRisk, ...]:
    """Every quasi-identifier alone, every two and three, those asked for, and all of them."""
    names = tuple(known.name for known in question.known)
    small = [subset for size in range(1, LARGEST_SET + 1) for subset in combinations(names, size)]
    asked = list(dict.fromkeys([*small, *question.subsets, names]))
    sets: list[SetRisk] = []
    for start in range(0, len(asked), SETS_PER_STATEMENT):
        chunk = asked[start : start + SETS_PER_STATEMENT]
        questions = [{"number": n, "classes": classes, "columns": question.names_there(subset)} for n, subset in enumerate(chunk)]
        for number, distinct, unique, alike in sorted(workspace.fetch_together("measure/risk/sets", questions)):
            pairs = rows * (rows - 1)
            sets.append(
                SetRisk(
                    chunk[number],
                    distinct,
                    distinction=distinct / rows if rows else None,
                    separation=(rows * rows - int(alike)) / pairs if pairs else None,
                    uniqueness=unique / rows if rows else None,
                )
            )
    return tuple(sets)
