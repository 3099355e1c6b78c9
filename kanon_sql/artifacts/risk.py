"""The re-identification risk of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kanon_sql.metrics import Number
from kanon_sql.tables import TableName


@dataclass(frozen=True)
class Bucket:
    """The classes whose size is in a range; None means no upper limit."""

    smallest: int
    largest: int | None
    classes: int
    rows: int

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        return {"from": self.smallest, "to": self.largest, "classes": self.classes, "rows": self.rows}


@dataclass(frozen=True)
class SetRisk:
    """How far a set of quasi-identifiers distinguishes rows."""

    columns: tuple[str, ...]
    distinct: int
    distinction: float | None
    separation: float | None
    uniqueness: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        return {
            "columns": list(self.columns),
            "distinct": self.distinct,
            "distinction": self.distinction,
            "separation": self.separation,
            "uniqueness": self.uniqueness,
        }


@dataclass(frozen=True)
class InformationRisk:
    """What the classes of some quasi-identifiers disclose about another column, and the rows at the highest risk."""

    column: str
    quasi_identifiers: tuple[str, ...]
    figures: dict[str, Number]
    riskiest_classes: int
    riskiest_share: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values."""
        return {**self.figures, "riskiest": {"classes": self.riskiest_classes, "share": self.riskiest_share}}


@dataclass(frozen=True)
class PopulationFound:
    """The population of a table, and the classes of which it has fewer rows than the table."""

    table: TableName
    rows: int
    smaller_classes: int
    smaller_rows: int


@dataclass(frozen=True)
class TableRisk:
    """The re-identification risk of a table by its quasi-identifiers."""

    quasi_identifiers: tuple[str, ...]
    rows: int
    classes: int
    k: int | None
    unique_rows: int
    figures: dict[str, Number]
    histogram: tuple[Bucket, ...]
    sets: tuple[SetRisk, ...]
    information: tuple[InformationRisk, ...]
    population: PopulationFound | None
