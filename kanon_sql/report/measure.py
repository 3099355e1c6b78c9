"""The result of `kanon measure`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kanon_sql.artifacts import Reached
from kanon_sql.artifacts.measures import NotComputed, QueryErrors
from kanon_sql.artifacts.utility import Utility
from kanon_sql.common.spelling import many
from kanon_sql.metrics import CELL_METRICS
from kanon_sql.models import Rules
from kanon_sql.report.notebook import html_result
from kanon_sql.report.summary import Summarized, loss_line, warnings_line
from kanon_sql.tables import TableName

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class MeasuredModels:
    """The privacy models of a release in addition to k: what was reached, and what could not be computed."""

    rules: Rules = field(default_factory=lambda: Rules(()))
    privacy: dict[str, Any] = field(default_factory=dict)
    reached: tuple[Reached, ...] = ()
    not_computed: tuple[NotComputed, ...] = ()


@dataclass(frozen=True, repr=False)
class MeasureReport(Summarized):
    """The information loss of a release compared with its source."""

    source: TableName | None
    released: TableName
    rows: int | None
    published_rows: int
    k: int | None
    utility: Utility
    not_computed: tuple[NotComputed, ...]
    queries: tuple[QueryErrors, ...] = ()
    warnings: tuple[str, ...] = ()
    models: MeasuredModels = field(default_factory=MeasuredModels)

    def summary(self) -> list[str]:
        """Return the size of the release, its information loss and the metrics that could not be computed."""
        of_rows = "" if self.rows is None else f" of {self.rows:,}"
        missing = dict.fromkeys(found.metric for found in (*self.not_computed, *self.models.not_computed))
        return [
            f"{self.released}: {self.published_rows:,}{of_rows} rows in {many(self.utility['classes'], 'class')}; "
            f"the smallest has {many(self.k or 0, 'row')}.",
            loss_line(self.utility),
            *([f"Not computed: {', '.join(missing)}."] if missing else []),
            *warnings_line(self.warnings),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, as `--json` prints it."""
        return {
            "source": None if self.source is None else str(self.source),
            "released": str(self.released),
            "rows": self.rows,
            "published_rows": self.published_rows,
            "suppressed_rows": None if self.rows is None else self.rows - self.published_rows,
            "privacy": {**self.models.privacy, "k": self.k},
            "utility": dict(self.utility),
            "queries": [found.to_dict() for found in self.queries],
            "not_computed": [found.to_dict() for found in (*self.not_computed, *self.models.not_computed)],
            "warnings": list(self.warnings),
        }

    def to_json(self) -> str:
        """Return the report as one JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per quasi-identifier and one for the total, with a column per metric; metrics of classes only have a total."""
        import pandas as pd

        plain = {name: value for name, value in self.utility.items() if name not in ("per_column", "class_size")}
        plain |= {f"class_size_{name}": value for name, value in (self.utility.get("class_size") or {}).items()}
        columns = {}
        for name, values in (self.utility.get("per_column") or {}).items():
            shares = {f"{metric}_share": share for metric, share in values["share"].items()}
            columns[name] = {key: value for key, value in values.items() if key != "share"} | shares
        return pd.DataFrame.from_dict({**columns, "total": plain}, orient="index").rename_axis("quasi_identifier")

    def _repr_html_(self) -> str:
        title = f"{self.released}: {self.published_rows:,} rows, k = {self.k}"
        notes = [", ".join(f"{name} {value:.4g}" for name, value in self.utility.items() if isinstance(value, int | float)), *self.warnings]
        names = ["level", *(metric.name for metric in CELL_METRICS), "entropy_nonuniform"]
        rows = [(column, *(values[name] for name in names)) for column, values in (self.utility.get("per_column") or {}).items()]
        notes += [f"{n.metric}{f' of {n.column}' if n.column else ''}: not computed, {n.reason}" for n in self.not_computed]
        return html_result(title, ("quasi-identifier", *names), rows, notes)
