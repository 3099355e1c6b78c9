"""An earlier run as the journal records it: levels, counts and metrics, never values.

The text is a file format: older and newer versions can read each other's journals.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from kanon_sql.artifacts.assignment import Assignment, NodeAssignment, NodeLabels, SpanLabels, TableAssignment
from kanon_sql.artifacts.cut_search import CutSearch
from kanon_sql.artifacts.search_record import LatticeSearch, MinimalNode, NodeCounts, SearchRecord
from kanon_sql.artifacts.solution import BySize, Solution, Verdict
from kanon_sql.lattice import Node
from kanon_sql.metrics import Number
from kanon_sql.partition import Mondrian
from kanon_sql.tables import TableName

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_DROPPED = TableName(("regions",))  # replaces tables that were dropped when the run ended


@dataclass(frozen=True)
class _Verdict:
    """A verdict in the file format."""

    node: Node
    classes: int
    smallest_class: int
    unique_rows: int
    failing_classes: int
    failing_rows: int
    smallest_published: int | None
    metrics: tuple[float, ...] = ()
    holds_as_whole: bool = True
    doomed_rows: int = 0

    @classmethod
    def of(cls, verdict: Verdict) -> _Verdict:
        """Return a verdict in the file format."""
        known = dict(vars(verdict))
        return cls(doomed_rows=known.pop("failing_below_rows"), **known)

    def restored(self) -> Verdict:
        """Return the verdict."""
        known = dict(vars(self))
        return Verdict(failing_below_rows=known.pop("doomed_rows"), **known)


@dataclass(frozen=True)
class _Partition:
    """The regions of a run in the file format."""

    table: TableName
    bounds: TableName | None
    rules: Mondrian
    rounds: int
    regions: int
    cuts: tuple[int, ...]
    statements: int
    was_anonymous: bool
    kept: TableName | None = None
    planned: bool = False


@dataclass(frozen=True)
class _Solution:
    """The solution of a run in the file format."""

    algorithm: str
    node: Node
    verdict: _Verdict
    before: _Verdict
    nodes: NodeCounts
    optimal: bool
    optimal_reason: str
    choice: str = ""
    costs: dict[str, Number] = field(default_factory=dict)
    bound: Number = None
    minimal: tuple[MinimalNode, ...] = ()
    minimal_complete: bool = False
    partition: _Partition | None = None
    by_size: BySize | None = None
    combinations: int | None = None
    person_combinations: int | None = None


@dataclass(frozen=True)
class _Earlier:
    """An earlier run in the file format."""

    levels: dict[str, int]
    heights: dict[str, int]
    kinds: dict[str, str]
    solution: _Solution
    rows: int
    classes: int
    k: int | None
    utility: dict[str, Any]
    privacy: dict[str, Any] = field(default_factory=dict)


@cache
def _adapter() -> TypeAdapter[_Earlier]:
    from pydantic import TypeAdapter

    return TypeAdapter(_Earlier)


@dataclass(frozen=True)
class Earlier:
    """The run that published a table, as the journal records it."""

    levels: dict[str, int]
    heights: dict[str, int]
    kinds: dict[str, str]
    solution: Solution
    rows: int
    classes: int
    k: int | None
    utility: dict[str, Any]
    privacy: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the text for the journal."""
        return _adapter().dump_json(_Earlier(**{**vars(self), "solution": _recorded(self.solution)})).decode()

    @classmethod
    def from_json(cls, text: str) -> Earlier:
        """Return the run that a text from the journal describes."""
        read = _adapter().validate_json(text)
        return cls(**{**vars(read), "solution": _restored(read.solution, read.levels)})

    @property
    def has_sets(self) -> bool:
        """Return whether labels may be sets of values."""
        return isinstance(self.solution.search, CutSearch)


def _recorded(solution: Solution) -> _Solution:
    search = solution.search
    recorded = _Solution(
        solution.algorithm, solution.assignment.levels, _Verdict.of(solution.verdict), _Verdict.of(solution.before), search.nodes,
        search.optimal, search.optimal_reason, costs=solution.costs, by_size=solution.by_size, combinations=solution.combinations,
        person_combinations=solution.person_combinations,
    )  # fmt: skip
    if isinstance(search, LatticeSearch):
        complete = search.minimal_complete
        return replace(recorded, choice=search.choice, bound=search.bound, minimal=search.minimal, minimal_complete=complete)
    if isinstance(search, CutSearch):
        partition = _Partition(
            _DROPPED, None, search.rules, search.rounds, search.regions, search.cuts, search.statements, search.was_anonymous,
            planned=search.planned,
        )  # fmt: skip
        return replace(recorded, partition=partition)
    return recorded


def _restored(recorded: _Solution, levels: dict[str, int]) -> Solution:
    return Solution(
        recorded.algorithm, _assignment(recorded, levels), recorded.verdict.restored(), recorded.before.restored(), _search(recorded),
        recorded.costs, recorded.by_size, recorded.combinations, recorded.person_combinations,
    )  # fmt: skip


def _assignment(recorded: _Solution, levels: dict[str, int]) -> Assignment:
    if recorded.node:
        return NodeAssignment(recorded.node)
    labels = SpanLabels(None) if recorded.partition is not None else NodeLabels(_DROPPED, tuple(levels.values()))
    return TableAssignment(_DROPPED, labels)


def _search(recorded: _Solution) -> SearchRecord:
    optimal, reason, cut = recorded.optimal, recorded.optimal_reason, recorded.partition
    if cut is not None:
        return CutSearch(
            optimal, reason, planned=cut.planned, rules=cut.rules, rounds=cut.rounds, regions=cut.regions, cuts=cut.cuts,
            statements=cut.statements, was_anonymous=cut.was_anonymous,
        )  # fmt: skip
    if recorded.node:
        return LatticeSearch(
            optimal, reason, nodes=recorded.nodes, choice=recorded.choice, bound=recorded.bound, minimal=recorded.minimal,
            minimal_complete=recorded.minimal_complete,
        )  # fmt: skip
    return SearchRecord(optimal, reason)
