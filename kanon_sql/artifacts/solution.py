"""The task, the verdicts and the solution of a search."""

from __future__ import annotations

from dataclasses import dataclass, field

from kanon_sql.artifacts.assignment import Assignment
from kanon_sql.artifacts.cut_rules import CutRule
from kanon_sql.artifacts.frequencies import FrequencyTable
from kanon_sql.artifacts.search_record import SearchRecord
from kanon_sql.lattice import Node
from kanon_sql.metrics import Number
from kanon_sql.policy import Policy


@dataclass(frozen=True)
class Verdict:
    """The evaluation of a node: its classes, and those that fail."""

    node: Node
    classes: int
    smallest_class: int
    unique_rows: int
    failing_classes: int
    failing_rows: int
    smallest_published: int | None
    metrics: tuple[float, ...] = ()  # of classes; each also without suppression
    holds_as_whole: bool = True  # average risk, after suppression
    failing_below_rows: int = field(default=0, compare=False)  # rows known to fail at every finer node; 0 if not requested

    def is_within(self, allowed_rows: int) -> bool:
        """Return whether the node is accepted if up to `allowed_rows` rows may be suppressed."""
        return self.failing_rows <= allowed_rows and self.holds_as_whole


@dataclass(frozen=True)
class NodeCost:
    """The losses of a node, one per cost (lower is better), and the part of the first that suppression adds."""

    node: Node
    losses: tuple[float, ...]
    surplus: float | None  # None means that the cost gives no bound for nodes above and below


@dataclass(frozen=True)
class BySize:
    """The cost for k alone, to compare with the cost for all models; or the reason why there is no comparison."""

    compared: bool
    reason: str
    costs: dict[str, Number] = field(default_factory=dict)
    suppressed_rows: int = 0
    seconds: float = 0.0  # duration of the comparison


@dataclass(frozen=True)
class Solution:
    """The assignment that a search found, its verdict, and the report of the search."""

    algorithm: str
    assignment: Assignment
    verdict: Verdict
    before: Verdict
    search: SearchRecord
    costs: dict[str, Number] = field(default_factory=dict)
    by_size: BySize | None = None  # None if k is the only model
    combinations: int | None = None  # of quasi-identifiers
    person_combinations: int | None = None  # of quasi-identifiers and persons, if persons are counted


@dataclass(frozen=True)
class SearchTask:
    """The input of an algorithm that assigns combinations to classes."""

    frequencies: FrequencyTable
    policy: Policy
    cuts: tuple[CutRule, ...] | None = None  # of a plan, to apply
    keeps_cuts: bool = False  # to make a plan

    @property
    def allowed_rows(self) -> int:
        """Return how many rows may be suppressed."""
        return self.policy.suppression.allowed_rows(self.frequencies.rows)
