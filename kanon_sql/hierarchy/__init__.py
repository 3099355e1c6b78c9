"""Hierarchies: how a policy describes the generalization levels of one column. One file per kind."""

from __future__ import annotations

from collections.abc import Mapping

from kanon_sql.common.spelling import did_you_mean
from kanon_sql.hierarchy.csv_file import CsvFile
from kanon_sql.hierarchy.dates import Dates
from kanon_sql.hierarchy.edges import Edges
from kanon_sql.hierarchy.intervals import Intervals
from kanon_sql.hierarchy.lines import Line
from kanon_sql.hierarchy.listing import ROOT, Listing
from kanon_sql.hierarchy.mask import Mask, MaskRule
from kanon_sql.hierarchy.rounding import Round
from kanon_sql.hierarchy.rule import GROUPABLE, LabelForm, Rule, TemplateCall
from kanon_sql.hierarchy.suppress import Suppress
from kanon_sql.hierarchy.table import FromTable
from kanon_sql.hierarchy.top_bottom import TopBottom
from kanon_sql.hierarchy.tree import Tree

# In this order a kind is recognized by its key: top_bottom may have intervals next to it.
RULES: dict[str, type[Rule]] = {
    kind.key: kind
    for kind in (
        Suppress,
        TopBottom,
        Intervals,
        Edges,
        Round,
        Mask,
        Dates,
        CsvFile,
        Tree,
        FromTable,
    )
}

__all__ = [
    "GROUPABLE",
    "ROOT",
    "RULES",
    "Dates",
    "Intervals",
    "LabelForm",
    "Line",
    "Listing",
    "Mask",
    "MaskRule",
    "Rule",
    "Suppress",
    "TemplateCall",
    "kind_of",
    "read_rule",
]


def kind_of(value: object) -> type[Rule] | None:
    """Return the kind of hierarchy that a part of a policy describes, or None."""
    if isinstance(value, Mapping):
        return next((kind for key, kind in RULES.items() if key in value), None)
    kind = RULES.get(value) if isinstance(value, str) else None
    return kind if kind is not None and kind.is_bare else None


def read_rule(value: object) -> Rule:
    """Return the hierarchy that a part of a policy describes, or raise ValueError."""
    if isinstance(value, Rule):
        return value
    kind = kind_of(value)
    if kind is None:
        name = str(next(iter(value), "")) if isinstance(value, Mapping) else str(value)
        if name in RULES:
            raise ValueError(f"{name} needs a value: write {{{name}: …}}")
        raise ValueError(f"unknown hierarchy {name!r}{did_you_mean(name, RULES)}; allowed are {', '.join(RULES)}")
    return kind.model_validate(value if isinstance(value, Mapping) else {})
