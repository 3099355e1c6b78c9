"""Output kinds: how a generalized quasi-identifier is published. One file per kind."""

from __future__ import annotations

from kanon_sql.common.spelling import did_you_mean
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

__all__ = ["DEFAULT", "OUTPUTS", "Output", "bound_names", "known_output"]


def known_output(name: object) -> str:
    """Return the name of an output kind as a policy writes it, or raise ValueError."""
    if isinstance(name, str) and name in OUTPUTS:
        return name
    raise ValueError(f"{name!r} is not allowed{did_you_mean(str(name), OUTPUTS)}; allowed are {', '.join(OUTPUTS)}")
