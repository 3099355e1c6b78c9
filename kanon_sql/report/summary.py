"""Reports as a few lines of text: names, counts and metrics, never values of cells."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kanon_sql.policy import Policy

METRICS_SHOWN = {"geniloss": "GenILoss", "dm": "DM", "c_avg": "C_AVG"}


class Summarized:
    """A report that prints as a summary."""

    @abstractmethod
    def summary(self) -> list[str]:
        """Return the most important facts, a sentence or two per line."""

    def __str__(self) -> str:
        return "\n".join(self.summary())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.summary()[0]}>"


def figure(value: int | float | None) -> str:
    """Return a number as people read it."""
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


def loss_line(utility: Mapping[str, object]) -> str:
    """Return the information loss of a release in a sentence."""
    shown = [(title, utility.get(name)) for name, title in METRICS_SHOWN.items()]
    return f"Information loss: {', '.join(f'{title} {figure(value)}' for title, value in shown if isinstance(value, int | float | None))}."


def levels_line(levels: Mapping[str, int], heights: Mapping[str, int]) -> str:
    """Return the level of every quasi-identifier in a sentence."""
    return f"Levels: {', '.join(f'{name} {level} of {heights[name]}' for name, level in levels.items())}."


def warnings_line(warnings: Sequence[str]) -> list[str]:
    """Return how many warnings there are, if any."""
    return [f"{len(warnings)} warning{'s' if len(warnings) > 1 else ''}: see .warnings."] if warnings else []


def k_required(policy: Policy) -> str:
    """Return the k that the policy requires, and of whom."""
    required = f"required: {policy.models.k}" if policy.models.of_size else "none required"
    return f"{required}, persons by {policy.entity}" if policy.entity else required
