"""Mondrian: regions are cut in two at the median of their widest dimension until no cut is allowed, all regions at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from kanon_sql.common.countdown import Countdown
from kanon_sql.partition import Round


class Cutter(Protocol):
    """Cuts regions; a round of them is a constant number of statements."""

    open_regions: int

    def cut(self) -> Round:
        """Cuts every open region that can be cut; the others are done."""


@dataclass(frozen=True)
class Cutting:
    """How a table was cut: rounds, regions at the end, cuts per quasi-identifier."""

    rounds: int
    regions: int
    cuts: dict[int, int]


def mondrian(cutter: Cutter, listener: Callable[[int, int], None], *, depth: int | None = None) -> Cutting:
    """Cut in rounds until no region is open; the listener hears each round's number and open regions.

    Both sides of a cut have rows, so the largest region that is cut has fewer rows in every round. The cuts of a plan may leave a
    side empty today, but they are made in as many rounds as the plan is deep.
    """
    rounds, cuts, countdown = 0, Counter[int](), Countdown("mondrian")
    while cutter.open_regions:
        rounds += 1
        listener(rounds, cutter.open_regions)
        done = cutter.cut()
        if done.cuts:
            countdown.require_less(done.largest if depth is None else depth - rounds)
        cuts.update(done.cuts)
    return Cutting(rounds, 1 + cuts.total(), dict(cuts))
