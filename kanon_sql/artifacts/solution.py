"""What a search asks, learns and chooses."""

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
    """What evaluate says of a node."""

    node: Node
    classes: int
    smallest_class: int
    unique_rows: int
    failing_classes: int
    failing_rows: int
    smallest_published: int | None
    metrics: tuple[float, ...] = ()  # of classes; each also as if nothing were suppressed
    holds_as_whole: bool = True  # average risk, after suppression
    failing_below_rows: int = field(default=0, compare=False)  # rows known to fail at every finer node; 0 if not asked for

    def is_within(self, allowed_rows: int) -> bool:
        """Whether the node is accepted when so many rows may be suppressed."""
        return self.failing_rows <= allowed_rows and self.holds_as_whole


@dataclass(frozen=True)
class NodeCost:
    """What a node costs: one loss per cost (less is better), and how much of the first one suppression adds."""

    node: Node
    losses: tuple[float, ...]
    surplus: float | None  # none: what it costs says nothing of nodes above and below


@dataclass(frozen=True)
class BySize:
    """What k alone would have cost, to say what the models beside it cost; or why that is not known."""

    compared: bool
    reason: str
    costs: dict[str, Number] = field(default_factory=dict)
    suppressed_rows: int = 0
    seconds: float = 0.0  # what the comparison took


@dataclass(frozen=True)
class Solution:
    """The assignment that a search ended with, its verdict, and how the search came to it."""

    algorithm: str
    assignment: Assignment
    verdict: Verdict
    before: Verdict
    search: SearchRecord
    costs: dict[str, Number] = field(default_factory=dict)
    by_size: BySize | None = None  # where there are models in addition to k
    combinations: int | None = None  # of quasi-identifiers, which were counted
    person_combinations: int | None = None  # of quasi-identifiers and persons, where these are counted


@dataclass(frozen=True)
class SearchTask:
    """What an algorithm that assigns combinations to classes is asked to do."""

    frequencies: FrequencyTable
    policy: Policy
    cuts: tuple[CutRule, ...] | None = None  # of a plan, to be made again
    keeps_cuts: bool = False  # for a plan

    @property
    def allowed_rows(self) -> int:
        """Return how many rows may be suppressed."""
        return self.policy.suppression.allowed_rows(self.frequencies.rows)
