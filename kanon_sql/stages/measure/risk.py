"""Assess the risk of a table: one grouping per target column, and everything else from those groups."""

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
class QuasiIdentifierColumns:
    """A quasi-identifier in the table: one column, or two columns of bounds."""

    name: str
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class RiskQuestion:
    """A table with its quasi-identifiers, the target columns they may disclose, and the threshold of a row at risk."""

    table: TableName
    quasi_identifiers: tuple[QuasiIdentifierColumns, ...]
    targets: tuple[Column, ...] = ()
    population: TableName | None = None
    threshold: Decimal = Decimal("0.2")
    subsets: tuple[tuple[str, ...], ...] = ()

    @property
    def columns(self) -> list[Column]:
        """Return the columns that define the classes."""
        return [column for quasi_identifier in self.quasi_identifiers for column in quasi_identifier.columns]

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the quasi-identifiers."""
        return tuple(quasi_identifier.name for quasi_identifier in self.quasi_identifiers)

    def count_columns(self, names: Sequence[str]) -> list[str]:
        """Return the columns of some quasi-identifiers in the tables of counts."""
        owners = [quasi_identifier.name for quasi_identifier in self.quasi_identifiers for _ in quasi_identifier.columns]
        return [f"v_{position}" for position, name in enumerate(owners, start=1) if name in names]

    @property
    def largest_at_risk(self) -> int:
        """Return the size of the largest class whose rows have a risk above the threshold."""
        return ceil(1 / Fraction(self.threshold)) - 1


@dataclass(frozen=True)
class RiskCounts:
    """The classes of a table, and its combinations with each target column."""

    classes: TableName
    with_target: tuple[TableName, ...]
    population_size: str = "class_size"
    population: PopulationFound | None = None


def assess_risk(workspace: Workspace, question: RiskQuestion) -> TableRisk:
    """Return all risk figures of the table."""
    counted = count_classes(workspace, question)
    rows, classes, smallest, unique, *figures = _figures(workspace, question, counted)
    names = question.names
    subsets = list(dict.fromkeys([names, *((name,) for name in names), *question.subsets]))
    information = [found for subset in subsets for found in information_risks(workspace, question, counted, subset, rows)]
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


def count_classes(workspace: Workspace, question: RiskQuestion) -> RiskCounts:
    """Group the table once per target column, or once if there is none."""
    columns, width = question.columns, len(question.columns)
    with_target = tuple(
        workspace.tables.create(
            f"target_{number}", "measure/risk/counted", table=question.table, columns=[*columns, column], size="row_count"
        )
        for number, column in enumerate(question.targets, start=1)
    )
    if with_target:
        classes = workspace.tables.create("risk_classes", "measure/risk/classes", counts=with_target[0], width=width)
    else:
        classes = workspace.tables.create("risk_classes", "measure/risk/counted", table=question.table, columns=columns, size="class_size")
    if question.population is None:
        return RiskCounts(classes, with_target)
    population = workspace.tables.create("population", "measure/risk/counted", table=question.population, columns=columns, size="row_count")
    ((population_rows, _),) = workspace.fetch("count/counted", combinations=population)
    matched = workspace.tables.create("matched", "measure/risk/in_population", classes=classes, population=population, width=width)
    workspace.tables.drop(classes, population)
    found = PopulationFound(question.population, population_rows, *workspace.fetch_one("measure/risk/smaller", classes=matched))
    return RiskCounts(matched, with_target, "population_size", found)


def risk_figures(workspace: Workspace, question: RiskQuestion, counted: RiskCounts) -> dict[str, Number]:
    """Return the risk figures that depend on the classes only."""
    return dict(zip(RISKS, _figures(workspace, question, counted)[4:], strict=True))


def _figures(workspace: Workspace, question: RiskQuestion, counted: RiskCounts) -> Row:
    metrics = list(RISKS.values())
    arguments = {"population_size": counted.population_size, "at_most": question.largest_at_risk}
    return workspace.fetch_one("measure/risk/figures", classes=counted.classes, metrics=metrics, **arguments)


def information_risks(
    workspace: Workspace, question: RiskQuestion, counted: RiskCounts, subset: Sequence[str], rows: int
) -> list[InformationRisk]:
    """Return how much some quasi-identifiers together disclose about each target column."""
    found = []
    target = f"v_{len(question.columns) + 1}"
    for column, counts in zip(question.targets, counted.with_target, strict=True):
        columns, metrics = question.count_columns(subset), list(INFORMATION.values())
        *figures, classes, risky = workspace.fetch_one(
            "measure/risk/information", counts=counts, columns=columns, target=target, metrics=metrics
        )
        named: dict[str, Number] = dict(zip(INFORMATION, figures if rows else [None] * len(metrics), strict=True))
        found.append(InformationRisk(column.name, tuple(subset), named, classes, risky / rows if rows else None))
    return found


def _histogram(workspace: Workspace, classes: TableName) -> tuple[Bucket, ...]:
    ends = {smallest: above - 1 for smallest, above in pairwise(BUCKETS)}
    found = workspace.fetch("measure/risk/histogram", classes=classes, buckets=BUCKETS)
    return tuple(Bucket(smallest, ends.get(smallest), count, rows) for smallest, count, rows in found)


def _sets(workspace: Workspace, question: RiskQuestion, classes: TableName, rows: int) -> tuple[SetRisk, ...]:
    """Return the figures of every one, two and three quasi-identifiers, of the requested subsets, and of all together."""
    names = question.names
    small = [subset for size in range(1, LARGEST_SET + 1) for subset in combinations(names, size)]
    subsets = list(dict.fromkeys([*small, *question.subsets, names]))
    sets: list[SetRisk] = []
    for start in range(0, len(subsets), SETS_PER_STATEMENT):
        chunk = subsets[start : start + SETS_PER_STATEMENT]
        questions = [{"number": n, "classes": classes, "columns": question.count_columns(subset)} for n, subset in enumerate(chunk)]
        for number, distinct, unique, equal_pairs in sorted(workspace.fetch_together("measure/risk/sets", questions)):
            pairs = rows * (rows - 1)
            sets.append(
                SetRisk(
                    chunk[number],
                    distinct,
                    distinction=distinct / rows if rows else None,
                    separation=(rows * rows - int(equal_pairs)) / pairs if pairs else None,
                    uniqueness=unique / rows if rows else None,
                )
            )
    return tuple(sets)
