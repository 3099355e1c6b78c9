"""Cuts that are kept for a plan, and regions that are cut again as a plan says."""

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
    """Cuts regions where a plan cuts them, whatever their rows are today; whether they satisfy the policy is judged afterwards."""

    def __init__(self, workspace: Workspace, frequencies: FrequencyTable, privacy: Rules, rules: Mondrian, planned: TableName) -> None:
        super().__init__(workspace, frequencies, privacy, rules, [1.0] * len(frequencies.columns), least_rows=0)
        self._planned = planned

    def _choose(self) -> TableName:
        shape = {"dimensions": self._axes.dimensions, "planned": self._planned, "round": self._round + 1}
        return self._workspace.tables.create("cuts", "evaluate/cuts/planned_cuts", regions=self._open, **shape)


def told_cuts(workspace: Workspace, frequencies: FrequencyTable, kept: TableName | None) -> tuple[CutRule, ...]:
    """The cuts that were kept, each with its value as text."""
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
    """Per column the values at which a plan cuts it, with their places among them."""
    typed = {column.name: (number, column) for number, column in enumerate(columns, start=1)}
    tables = {}
    for name, texts in split_texts(rules).items():
        if name not in typed:
            raise RequestError(f"the plan cuts {name!r}, which is no quasi-identifier")
        number, column = typed[name]
        text = workspace.backend.exact_text_type
        shape = [Column("place", "integer", "integer"), Column("value", text if column.kind == "text" else column.type, column.kind)]
        rows = [(place, _value(column, text)) for place, text in enumerate(texts, start=1)]
        tables[name] = workspace.tables.load(f"{what}_{number}", shape, rows)
    return tables


def load_cuts(workspace: Workspace, frequencies: FrequencyTable, rules: Sequence[CutRule]) -> TableName:
    """A plan's cuts in today's codes; every value of a cut has one, since it was counted as a leaf."""
    columns = {column.column.name: column for column in frequencies.columns}
    texts, codes = split_texts(rules), {}
    for name, table in load_splits(workspace, [column.column for column in frequencies.columns], rules, "cut_values").items():
        found = workspace.fetch("evaluate/cuts/split_codes", splits=table, c=columns[name])
        codes.update({(name, texts[name][place - 1]): code for place, code in found})
        workspace.tables.drop(table)
    rows = []
    for cut in rounds_of(rules):
        code = 0 if cut.split is None else codes.get((cut.column, cut.split))
        if code is None:
            raise KanonError(f"a cut of the plan by {cut.column!r} is at a value that the database does not find again; solve again")
        rows.append((cut.round, cut.number, cut.region, columns[cut.column].number, code))
    typed = [*(Column(name, "integer", "integer") for name in _WHOLE), Column("split", "bigint", "integer")]
    return workspace.tables.load("planned", typed, rows)


def _value(column: Column, text: str) -> object:
    value = read_leaf(text, column.kind)
    if value is None:
        raise RequestError(f"the plan cuts {column.name!r} at something that cannot be read as {column.kind}; solve again")
    return value


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, float) else str(value)
