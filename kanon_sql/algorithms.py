"""The list of algorithms. Everything outside an algorithm's own modules asks for a trait here, never for a name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

_SEARCH = "kanon_sql.stages.search"
_EVALUATE = "kanon_sql.stages.evaluate"


@dataclass(frozen=True)
class Algorithm:
    """One algorithm: where its solver is, and what it needs and can do.

    The solver's signature follows from `solves`:

    - `choice`: (lattice) → Choice, the algorithm that is used instead
    - `path`: (lattice, evaluator, allowed_rows, before) → Verdict on the first accepted node of one path
    - `lattice`: (findings) → None, learns about nodes until the best one is known
    - `classes`: (task, evaluator) → Solution, assigns combinations to classes by a table
    """

    name: str
    solver: str  # "module:function", imported when it is used
    solves: Literal["choice", "path", "lattice", "classes"] = "lattice"
    evaluator: str = ""  # of solves: classes, "module:class" that answers the solver's questions, made of (workspace, task)
    minimizes_cost: bool = True  # ends at a node with the lowest cost, as every such algorithm does
    finds_all_minimal: bool = False  # evaluates or infers every minimal node on its way
    orders_codes: bool = False  # needs codes in the order of the values, leaves only
    joins_codes: bool = False  # needs the codes of all sensitive values and of persons in one table
    needs_hierarchies: bool = True  # a quasi-identifier without a hierarchy gets a default one
    publishes_regions: bool = False  # can publish outputs that need the values of a region
    publishes_bounds: bool = True  # can publish two bounds in place of a label
    suppresses: Literal["nothing", "rows", "persons"] = "persons"  # persons: rows, or all rows of a person
    plans: Literal["levels", "cuts", "nothing"] = "levels"  # what a reviewed plan holds
    draws: bool = False  # its classes can be drawn as rectangles

    @property
    def chooses_levels(self) -> bool:
        """Return whether it ends at a node of the lattice, which holds for other rows too."""
        return self.solves != "classes"

    def load_solver(self) -> Callable[..., Any]:
        """Import the solver."""
        return _load(self.solver)

    def load_evaluator(self) -> Callable[..., Any]:
        """Import the class that answers the solver's questions."""
        return _load(self.evaluator)


ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        Algorithm("auto", f"{_SEARCH}.auto:pick_algorithm", solves="choice"),
        Algorithm("datafly", f"{_SEARCH}.datafly:datafly", solves="path", minimizes_cost=False),
        Algorithm("incognito", f"{_SEARCH}.incognito:incognito", finds_all_minimal=True),
        Algorithm("ola", f"{_SEARCH}.ola:ola", finds_all_minimal=True),
        Algorithm("flash", f"{_SEARCH}.flash:flash"),
        Algorithm("samarati", f"{_SEARCH}.samarati:samarati", minimizes_cost=False),
        Algorithm("mingen", f"{_SEARCH}.mingen:mingen", finds_all_minimal=True),
        Algorithm(
            "mondrian",
            f"{_SEARCH}.mondrian:cut_regions",
            solves="classes",
            evaluator=f"{_EVALUATE}.regions:RegionEvaluator",
            minimizes_cost=False,
            orders_codes=True,
            joins_codes=True,
            needs_hierarchies=False,
            publishes_regions=True,
            suppresses="nothing",
            plans="cuts",
            draws=True,
        ),
    )
}


def names_with(trait: Callable[[Algorithm], bool]) -> str:
    """Return the names of the algorithms that have a trait, for a message."""
    return ", ".join(algorithm.name for algorithm in ALGORITHMS.values() if trait(algorithm))


def _load(reference: str) -> Callable[..., Any]:
    module, _, name = reference.partition(":")
    loaded: Callable[..., Any] = getattr(import_module(module), name)
    return loaded
