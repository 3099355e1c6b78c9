"""Output kinds: how a generalized quasi-identifier is published. One file per kind."""

from __future__ import annotations

from kanon_sql.outputs.bounds import Bounds, bound_names
from kanon_sql.outputs.labels import Labels
from kanon_sql.outputs.mean import Mean
from kanon_sql.outputs.midpoint import Midpoint
from kanon_sql.outputs.output import Output
from kanon_sql.outputs.sets import Sets

DEFAULT = Labels()

OUTPUTS: dict[str, Output] = {
    output.name: output
    for output in (
        DEFAULT,
        Sets(),
        Bounds(),
        Midpoint(),
        Mean(),
    )
}

__all__ = ["DEFAULT", "OUTPUTS", "Output", "bound_names"]
