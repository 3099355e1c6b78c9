"""The report of a search by cuts: its rules, rounds and regions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from kanon_sql.artifacts.search_record import SearchRecord
from kanon_sql.partition import Mondrian
from kanon_sql.tables import TableName


@dataclass(frozen=True)
class CutSearch(SearchRecord):
    """The rules, rounds and results of cutting a table into regions."""

    rules: Mondrian = field(default_factory=Mondrian)
    rounds: int = 0
    regions: int = 0
    cuts: tuple[int, ...] = ()  # per quasi-identifier
    statements: int = 0
    was_anonymous: bool = False
    kept: TableName | None = None  # the cuts of all rounds; None if no plan is needed
    found: ClassVar[str] = "regions"

    @property
    def counts(self) -> Mapping[str, Sequence[int]]:
        """Return the cuts of every quasi-identifier."""
        return {"cuts": self.cuts}

    @property
    def notes(self) -> tuple[str, ...]:
        """Return notes on the regions for the user."""
        if self.planned:
            return ("the regions are those of the plan, published by the bounds of its cuts",)
        if self.was_anonymous:
            return (
                "the table already satisfied the policy and was cut into regions anyway; to keep such a table unchanged, write "
                "mondrian: {keep_if_anonymous: true}",
            )
        return ()

    @property
    def plan_note(self) -> str:
        """Return how a plan of these cuts differs from the policy."""
        tight = self.rules.bounds == "tight"
        return "the plan will be published by the bounds of its cuts, although the policy has bounds: tight" if tight else ""

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the record as plain values."""
        partition = {
            **self.rules.model_dump(),
            "rounds": self.rounds,
            "regions": self.regions,
            "cuts": dict(zip(names, self.cuts, strict=True)),
            "statements": self.statements,
        }
        return {**super().to_dict(names), "partition": partition}

    def summary(self, algorithm: str) -> str:
        """Return the search in sentences."""
        origin = "the plan" if self.planned else f"{algorithm} ({self.rules.mode})"
        text = f"{origin} made {sum(self.cuts):,} cuts in {self.rounds} rounds"
        return f"{text} and {self.statements} statements: {self.regions:,} regions; those with equal labels are one class."
