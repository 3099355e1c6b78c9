"""What is known of a table's risk, as plain values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from kanon_sql.metrics import Number
from kanon_sql.notebook import html_result
from kanon_sql.spelling import many
from kanon_sql.tables import TableName

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Bucket:
    """The classes whose size lies in a range; the last one has no end."""

    smallest: int
    largest: int | None
    classes: int
    rows: int

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {"from": self.smallest, "to": self.largest, "classes": self.classes, "rows": self.rows}


@dataclass(frozen=True)
class SetRisk:
    """How far some quasi-identifiers together tell rows apart."""

    columns: tuple[str, ...]
    distinct: int
    distinction: float | None
    separation: float | None
    uniqueness: float | None

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "columns": list(self.columns),
            "distinct": self.distinct,
            "distinction": self.distinction,
            "separation": self.separation,
            "uniqueness": self.uniqueness,
        }


@dataclass(frozen=True)
class InformationRisk:
    """What the classes of some quasi-identifiers tell of another column, and how many rows they tell most of."""

    column: str
    quasi_identifiers: tuple[str, ...]
    figures: dict[str, Number]
    riskiest_classes: int
    riskiest_share: float | None

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain values."""
        return {**self.figures, "riskiest": {"classes": self.riskiest_classes, "share": self.riskiest_share}}


@dataclass(frozen=True)
class PopulationFound:
    """The population a table was compared with, and the classes of which it has fewer rows than the table."""

    table: TableName
    rows: int
    smaller_classes: int
    smaller_rows: int


@dataclass(frozen=True)
class RiskReport:
    """What `risk` found in a table."""

    table: TableName
    quasi_identifiers: tuple[str, ...]
    rows: int
    classes: int
    k: int | None
    unique_rows: int
    threshold: Decimal
    figures: dict[str, Number]
    histogram: tuple[Bucket, ...]
    sets: tuple[SetRisk, ...]
    information: tuple[InformationRisk, ...]
    population: PopulationFound | None
    warnings: tuple[str, ...]

    def of_all(self) -> dict[str, InformationRisk]:
        """What all quasi-identifiers together tell, by the column they tell of."""
        return {found.column: found for found in self.information if found.quasi_identifiers == self.quasi_identifiers}

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, as `--json` prints it."""
        population = self.population
        return {
            "table": str(self.table),
            "quasi_identifiers": list(self.quasi_identifiers),
            "rows": self.rows,
            "classes": self.classes,
            "k": self.k,
            "unique_rows": self.unique_rows,
            "risk": {
                **self.figures,
                "threshold": float(self.threshold),
                "information": {column: found.to_dict() for column, found in self.of_all().items()},
            },
            "histogram": [bucket.to_dict() for bucket in self.histogram],
            "sets": [found.to_dict() for found in self.sets],
            "information_of_sets": [
                {"column": found.column, "quasi_identifiers": list(found.quasi_identifiers), **found.to_dict()}
                for found in self.information
            ],
            "population": population
            and {
                "table": str(population.table),
                "rows": population.rows,
                "smaller": {"classes": population.smaller_classes, "rows": population.smaller_rows},
            },
            "warnings": list(self.warnings),
        }

    def to_json(self) -> str:
        """The report as one JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def to_frame(self) -> pd.DataFrame:
        """One row per set of quasi-identifiers: how far it tells rows apart, and what it tells of other columns."""
        import pandas as pd

        rows: dict[str, dict[str, Any]] = {}
        for found in self.sets:
            figures = found.to_dict()
            del figures["columns"]
            rows.setdefault(" + ".join(found.columns), {}).update(figures)
        for told in self.information:
            figures = {f"{told.column}.{name}": value for name, value in told.figures.items()}
            rows.setdefault(" + ".join(told.quasi_identifiers), {}).update(figures)
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("quasi_identifiers")

    def _repr_html_(self) -> str:
        title = f"{self.table}: {many(self.rows, 'row')} in {many(self.classes, 'class')}, the smallest of {self.k}"
        notes = [", ".join(f"{name} {value:.4g}" for name, value in self.figures.items() if value is not None), *self.warnings]
        rows = [(" + ".join(s.columns), s.distinct, s.distinction, s.separation, s.uniqueness) for s in self.sets]
        return html_result(title, ("quasi-identifiers", "distinct", "distinction", "separation", "uniqueness"), rows, notes)
