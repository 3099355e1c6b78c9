"""The result of `kanon risk`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from kanon_sql.artifacts.risk import Bucket, InformationRisk, PopulationFound, SetRisk
from kanon_sql.common.spelling import many
from kanon_sql.metrics import Number
from kanon_sql.report.notebook import html_result
from kanon_sql.report.summary import Summarized, figure
from kanon_sql.tables import TableName

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class RiskReport(Summarized):
    """The re-identification risk of a table."""

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

    def summary(self) -> list[str]:
        """Return the size of the classes and the risks of the table as a whole."""
        if self.rows == 0:
            return [f"{self.table} is empty. Nobody can be identified in it."]
        risks = self.figures
        return [
            f"{self.table}: {many(self.rows, 'row')} in {many(self.classes, 'class')}; the smallest has {many(self.k or 0, 'row')}. "
            f"{self.unique_rows:,} {'row is' if self.unique_rows == 1 else 'rows are'} unique.",
            f"Prosecutor risk: at most {figure(risks['prosecutor_max'])}, on average {figure(risks['prosecutor_average'])}. "
            f"Journalist risk: at most {figure(risks['journalist_max'])}. Marketer risk: {figure(risks['marketer'])}.",
            f"Rows with a risk above {self.threshold}: {risks['at_risk']:.2%}.",
        ]

    def of_all(self) -> dict[str, InformationRisk]:
        """Return what all quasi-identifiers together reveal about each other column."""
        return {found.column: found for found in self.information if found.quasi_identifiers == self.quasi_identifiers}

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, as `--json` prints it."""
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
        """Return the report as one JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per set of quasi-identifiers: how well it separates rows, and what it reveals about other columns."""
        import pandas as pd

        rows: dict[str, dict[str, Any]] = {}
        for found in self.sets:
            figures = found.to_dict()
            del figures["columns"]
            rows.setdefault(" + ".join(found.columns), {}).update(figures)
        for inferred in self.information:
            figures = {f"{inferred.column}.{name}": value for name, value in inferred.figures.items()}
            rows.setdefault(" + ".join(inferred.quasi_identifiers), {}).update(figures)
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("quasi_identifiers")

    def _repr_html_(self) -> str:
        title = f"{self.table}: {many(self.rows, 'row')} in {many(self.classes, 'class')}, smallest class {self.k}"
        notes = [", ".join(f"{name} {value:.4g}" for name, value in self.figures.items() if value is not None), *self.warnings]
        rows = [(" + ".join(s.columns), s.distinct, s.distinction, s.separation, s.uniqueness) for s in self.sets]
        return html_result(title, ("quasi-identifiers", "distinct", "distinction", "separation", "uniqueness"), rows, notes)
