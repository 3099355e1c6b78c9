"""The section on privacy models."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.engine_databases import UnmeasuredEngine
from benchmarks.measurements.models import K, ModelFigures
from benchmarks.results.markdown import Line, table, unmeasured
from benchmarks.settings import Settings

_HEAD = ("engine", "limit", "models", "checked", "seconds", "÷ k alone")


def write_models(measured: Sequence[ModelFigures | UnmeasuredEngine], settings: Settings) -> str:
    """Return the section with all searches."""
    lines = [_line(f) for f in measured if isinstance(f, ModelFigures)]
    return "\n\n".join(["## Privacy models", _introduction(settings), *unmeasured(measured), table(_HEAD, lines)]) + "\n"


def _introduction(settings: Settings) -> str:
    return f"""\
The census of {settings.census_rows:,} rows, eight quasi-identifiers and 6,480 nodes, with an income that a quarter of all ages has:
k = {K} alone, with 2-diversity, with 0.2-closeness, and with both; cost geniloss, `algorithm: auto`. Seconds are those of the search,
the fewest of {settings.rounds} rounds; every solution is proven optimal."""


def _line(f: ModelFigures) -> Line:
    return f.engine, f"{f.limit:.0%}", f.models, str(f.checked), f"{f.seconds:.2f}", f"{f.ratio_to_k:.2f}"
