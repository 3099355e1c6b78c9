"""Rollups: smaller frequency tables, from which the classes of more general nodes are counted faster."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kanon_sql.artifacts import FrequencyTable, Verdict
from kanon_sql.judge.arguments import CombinationTables, combination_tables
from kanon_sql.lattice import Node, is_at_most
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

WORTH_IT = 100_000  # combinations from which on rollups save time


@dataclass(frozen=True)
class Rollup:
    """The materialized combinations of a node, with sensitive values and persons where needed."""

    node: Node
    tables: CombinationTables
    combinations: int


class Rollups:
    """The frequency table and its rollups; a rollup is made as soon as it would have saved its cost."""

    def __init__(self, workspace: Workspace, frequencies: FrequencyTable) -> None:
        self._workspace = workspace
        self._frequencies = frequencies
        self._made = [Rollup(frequencies.bottom, combination_tables(frequencies), frequencies.combinations)]
        self._counted: dict[Node, int] = {}
        self._saved: dict[Node, int] = {}

    def smallest_below(self, node: Node) -> CombinationTables:
        """Return the smallest tables from which a node can be counted."""
        rollup = self._best(node)
        if rollup.combinations < WORTH_IT:
            return rollup.tables
        most = rollup.combinations // self._workspace.backend.rollup_shrinks
        candidate = min(
            (known for known, size in self._counted.items() if size <= most and is_at_most(known, node)),
            key=lambda known: self._counted[known],
            default=None,
        )
        if candidate is None:
            return rollup.tables
        self._saved[candidate] = self._saved.get(candidate, 0) + rollup.combinations - self._counted[candidate]
        source = self._best(candidate)
        if self._saved[candidate] < self._workspace.backend.rollup_scans * source.combinations:
            return rollup.tables
        return self._make(candidate, source).tables

    def learn(self, verdicts: Iterable[Verdict]) -> None:
        """Remember the number of classes of evaluated nodes."""
        if self._frequencies.combinations >= WORTH_IT:
            self._counted |= {verdict.node: verdict.classes for verdict in verdicts}

    def forget(self) -> None:
        """Drop the rollups."""
        for rollup in self._made[1:]:
            tables = rollup.tables
            self._workspace.tables.drop(tables.table, *tables.values.values(), *([tables.persons] if tables.persons else []))
        del self._made[1:]

    def _best(self, node: Node) -> Rollup:
        return min((rollup for rollup in self._made if is_at_most(rollup.node, node)), key=lambda rollup: rollup.combinations)

    def _make(self, node: Node, source: Rollup) -> Rollup:
        number = len(self._made)
        tables, counts_persons = source.tables, source.tables.persons is not None
        made = CombinationTables(
            self._roll_up(f"rollup_{number}", node, tables.table, (), person=False),
            {
                value: self._roll_up(f"rollup_{number}_{value}", node, table, (value,), person=counts_persons)
                for value, table in tables.values.items()
            },
            self._roll_up(f"rollup_{number}_persons", node, tables.persons, (), person=True) if tables.persons else None,
        )
        self._made.append(Rollup(node, made, self._counted.pop(node)))
        return self._made[-1]

    def _roll_up(self, name: str, node: Node, table: TableName, values: tuple[int, ...], *, person: bool) -> TableName:
        arguments = {
            "keys": self._frequencies.key_parts(node),
            "columns": list(zip(self._frequencies.columns, node, strict=True)),
            "leaves_only": False,
            "values": values,
            "person": person,
        }
        return self._workspace.tables.create(name, "evaluate/rollup", frequencies=table, **arguments)
