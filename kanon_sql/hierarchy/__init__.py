"""Hierarchies: how a policy describes the ladder of one column, and what each kind of column may use."""

from __future__ import annotations

from kanon_sql.hierarchy.lines import Line
from kanon_sql.hierarchy.listings import FromTable, Listed, Listing, Tree
from kanon_sql.hierarchy.numbers import Codes, Edges, Intervals, NumberRule, Round, TopBottom
from kanon_sql.hierarchy.rule import GROUPABLE, Dates, Mask, MaskRule, Rule, Suppress

ROOT = "*"

Hierarchy = Suppress | TopBottom | Intervals | Edges | Round | Mask | Dates | Listed | Tree | FromTable

# In this order a rule is recognized by its key: top_bottom may have intervals beside it.
RULES: dict[str, type[Rule]] = {
    "suppress": Suppress,
    "top_bottom": TopBottom,
    "intervals": Intervals,
    "edges": Edges,
    "round": Round,
    "mask": Mask,
    "dates": Dates,
    "csv": Listed,
    "tree": Tree,
    "table": FromTable,
}

__all__ = [
    "GROUPABLE",
    "ROOT",
    "RULES",
    "Codes",
    "Dates",
    "Edges",
    "FromTable",
    "Hierarchy",
    "Intervals",
    "Line",
    "Listed",
    "Listing",
    "Mask",
    "MaskRule",
    "NumberRule",
    "Round",
    "Rule",
    "Suppress",
    "TopBottom",
    "Tree",
]


def key_of(rule: Rule) -> str:
    """The key by which a policy names a rule."""
    return next(key for key, kind in RULES.items() if type(rule) is kind)
