"""Smaller frequency tables: a node's classes are counted from the smallest set that was counted below it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kanon_sql.artifacts import FrequencyTable, Verdict
from kanon_sql.judge.arguments import CombinationTables, combination_tables
from kanon_sql.lattice import Node, is_at_most
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

WORTH_IT = 100_000  # combinations below which counting from the frequency table is as fast as anything
SHRINKS = 4  # a set must be so many times smaller
PRICE = 3  # what making a set costs, in scans of the set it is made from


@dataclass(frozen=True)
class Rollup:
    """A materialized set: the combinations of a node, with sensitive values and persons as far as they are needed."""

    node: Node
    tables: CombinationTables
    combinations: int


class Rollups:
    """The frequency table and the sets made from it, each as soon as it would have saved what it costs."""

    def __init__(self, workspace: Workspace, frequencies: FrequencyTable) -> None:
        self._workspace = workspace
        self._frequencies = frequencies
        self._made = [Rollup(frequencies.bottom, combination_tables(frequencies), frequencies.combinations)]
        self._counted: dict[Node, int] = {}
        self._saved: dict[Node, int] = {}

    def smallest_below(self, node: Node) -> CombinationTables:
        """The smallest tables that a node can be counted from."""
        rollup = self._best(node)
        if rollup.combinations < WORTH_IT:
            return rollup.tables
        candidate = min(
            (known for known, size in self._counted.items() if size * SHRINKS <= rollup.combinations and is_at_most(known, node)),
            key=lambda known: self._counted[known],
            default=None,
        )
        if candidate is None:
            return rollup.tables
        self._saved[candidate] = self._saved.get(candidate, 0) + rollup.combinations - self._counted[candidate]
        source = self._best(candidate)
        if self._saved[candidate] < PRICE * source.combinations:
            return rollup.tables
        return self._make(candidate, source).tables

    def learn(self, verdicts: Iterable[Verdict]) -> None:
        """Remembers how large the sets of checked nodes are."""
        if self._frequencies.combinations >= WORTH_IT:
            self._counted |= {verdict.node: verdict.classes for verdict in verdicts}

    def forget(self) -> None:
        """Drops all but the frequency table."""
        for rollup in self._made[1:]:
            tables = rollup.tables
            self._workspace.tables.drop(tables.table, *tables.values.values(), *([tables.persons] if tables.persons else []))
        del self._made[1:]

    def _best(self, node: Node) -> Rollup:
        return min((rollup for rollup in self._made if is_at_most(rollup.node, node)), key=lambda rollup: rollup.combinations)

    def _make(self, node: Node, source: Rollup) -> Rollup:
        place = len(self._made)
        tables, counts_persons = source.tables, source.tables.persons is not None
        made = CombinationTables(
            self._roll_up(f"rollup_{place}", node, tables.table, (), person=False),
            {
                number: self._roll_up(f"rollup_{place}_{number}", node, table, (number,), person=counts_persons)
                for number, table in tables.values.items()
            },
            self._roll_up(f"rollup_{place}_persons", node, tables.persons, (), person=True) if tables.persons else None,
        )
        self._made.append(Rollup(node, made, self._counted.pop(node)))
        return self._made[-1]

    def _roll_up(self, name: str, node: Node, table: TableName, values: tuple[int, ...], *, person: bool) -> TableName:
        shape = {
            "keys": self._frequencies.key_parts(node),
            "columns": list(zip(self._frequencies.columns, node, strict=True)),
            "leaves_only": False,
            "values": values,
            "person": person,
        }
        return self._workspace.tables.create(name, "evaluate/rollup", frequencies=table, **shape)
