"""The cuts of a plan: how they are recorded, and how a plan's cuts are applied again."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts import FrequencyTable
from kanon_sql.artifacts.cut_rules import CutRule, RoundCut, rounds_of, split_texts, tree_of
from kanon_sql.errors import KanonError, RequestError
from kanon_sql.labels.leaves import read_leaf
from kanon_sql.models import Rules
from kanon_sql.partition import Mondrian
from kanon_sql.stages.evaluate.cuts import CutEvaluator
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace

_WHOLE = ("round", "number", "region", "dimension")


class PlannedCutEvaluator(CutEvaluator):
    """Cuts regions where a plan cuts them, whatever rows they have now; the models are applied afterwards."""

    def __init__(self, workspace: Workspace, frequencies: FrequencyTable, privacy: Rules, rules: Mondrian, planned: TableName) -> None:
        super().__init__(workspace, frequencies, privacy, rules, [1.0] * len(frequencies.columns), least_rows=0)
        self._planned = planned

    def _choose(self) -> TableName:
        return self._workspace.tables.create(
            "cuts",
            "evaluate/cuts/planned_cuts",
            regions=self._open,
            dimensions=self._axes.dimensions,
            planned=self._planned,
            round=self._round + 1,
        )


def recorded_cuts(workspace: Workspace, frequencies: FrequencyTable, kept: TableName | None) -> tuple[CutRule, ...]:
    """Return the recorded cuts, each with its value as text."""
    if kept is None:  # nothing to cut
        return ()
    columns = {column.number: column for column in frequencies.columns}
    values = {
        (number, code): _as_text(value)
        for number, column in columns.items()
        for code, value in workspace.fetch("evaluate/cuts/split_values", kept=kept, c=column, kind=column.column.kind)
    }
    return tree_of(
        [
            RoundCut(round_number, number, region, columns[dimension].column.name, values[dimension, code] if code else None)
            for round_number, number, region, dimension, code in workspace.fetch("evaluate/cuts/kept", kept=kept)
        ]
    )


def load_splits(workspace: Workspace, columns: Sequence[Column], rules: Sequence[CutRule], what: str = "splits") -> dict[str, TableName]:
    """Load the values at which a plan cuts each column, numbered per column."""
    typed = {column.name: (number, column) for number, column in enumerate(columns, start=1)}
    tables = {}
    for name, texts in split_texts(rules).items():
        if name not in typed:
            raise RequestError(f"the plan cuts column {name!r}, which is not a quasi-identifier")
        number, column = typed[name]
        value_type = workspace.backend.exact_text_type if column.kind == "text" else column.type
        loaded = [Column("number", "integer", "integer"), Column("value", value_type, column.kind)]
        rows = [(position, _value(column, text)) for position, text in enumerate(texts, start=1)]
        tables[name] = workspace.tables.load(f"{what}_{number}", loaded, rows)
    return tables


def load_cuts(workspace: Workspace, frequencies: FrequencyTable, rules: Sequence[CutRule]) -> TableName:
    """Load the cuts of a plan in current codes; every value of a cut has one, because it was counted as a leaf."""
    columns = {column.column.name: column for column in frequencies.columns}
    texts, codes = split_texts(rules), {}
    for name, table in load_splits(workspace, [column.column for column in frequencies.columns], rules, "cut_values").items():
        found = workspace.fetch("evaluate/cuts/split_codes", splits=table, c=columns[name])
        codes.update({(name, texts[name][position - 1]): code for position, code in found})
        workspace.tables.drop(table)
    rows = []
    for cut in rounds_of(rules):
        code = 0 if cut.split is None else codes.get((cut.column, cut.split))
        if code is None:
            raise KanonError(f"the plan cuts column {cut.column!r} at a value that the database cannot find; run solve again")
        rows.append((cut.round, cut.number, cut.region, columns[cut.column].number, code))
    typed = [*(Column(name, "integer", "integer") for name in _WHOLE), Column("split", "bigint", "integer")]
    return workspace.tables.load("planned", typed, rows)


def _value(column: Column, text: str) -> object:
    value = read_leaf(text, column.kind)
    if value is None:
        raise RequestError(f"the plan cuts column {column.name!r} at a value that cannot be read as {column.kind}; run solve again")
    return value


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, float) else str(value)
