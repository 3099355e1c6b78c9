"""Labels as two bounds of the column's own type, never narrower than the label."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

from kanon_sql.artifacts import CodedColumn
from kanon_sql.errors import HierarchyError
from kanon_sql.hierarchy import Dates, Hierarchy, Listing, Mask, NumberRule
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace

MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}
_BITS = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "integer": 32, "bigint": 64}
_UNLIMITED_DIGITS = 30


def require_bounds(column: Column, hierarchy: Hierarchy) -> None:
    """A column and hierarchy whose labels have bounds of the column's own type, or an error."""
    if not has_bounds(column, hierarchy):
        raise HierarchyError(f"column {column.name!r}: output: bounds is for numbers and dates, and not under a mask; write output: labels")
    decimals = _decimals_held(column)
    if isinstance(hierarchy, NumberRule) and decimals is not None and _decimals_of(hierarchy) > decimals:
        raise HierarchyError(
            f"column {column.name!r}: its hierarchy has {_decimals_of(hierarchy)} decimals and its type {column.type_name} "
            f"holds {decimals}, so its bounds cannot be published in that type; use rounder numbers, or output: labels"
        )


def has_bounds(column: Column, hierarchy: Hierarchy) -> bool:
    """Whether labels of the hierarchy can have bounds at all."""
    return column.is_numeric and not isinstance(hierarchy, Mask)


def bounds_table(workspace: Workspace, coded: CodedColumn, level: int) -> TableName:
    """Low and high of every label of a level above 0, by its part of the class key."""
    template, arguments = _template(coded, level)
    table = workspace.tables.create(f"bounds_{coded.number}", template, **arguments)
    if level < coded.height:
        workspace.tables.index(table, "part")
    return table


def _template(coded: CodedColumn, level: int) -> tuple[str, dict[str, Any]]:
    rule, column = coded.quasi_identifier.hierarchy, coded.column
    tables = {"labels": coded.label_table, "hierarchy": coded.hierarchy_table, "level": level, "kind": column.kind}
    if level == coded.height:
        return "labels/bounds/root", tables
    if isinstance(rule, Listing):
        return "labels/bounds/listed", {**tables, "beyond": len(rule.lines) + 1}
    if isinstance(rule, Dates):
        unit = rule.dates[level - 1]
        return (
            ("labels/bounds/weeks", tables) if unit == "week" else ("labels/bounds/dates", {**tables, "unit": unit, "months": MONTHS[unit]})
        )
    assert isinstance(rule, NumberRule)  # noqa: S101 (suppress has its root only, and masks have no bounds)
    return "labels/bounds/numbers", {**tables, **_number_arguments(column, rule, level)}


def _number_arguments(column: Column, rule: NumberRule, level: int) -> dict[str, Any]:
    """How a label of numbers is read back, and what the column's type can hold."""
    how = rule.levels[level - 1].how
    held = _decimals_held(column)
    # Half a rounding step, not less than half in a type with fewer decimals.
    half = Decimal(rule.levels[level - 1].half) / rule.scale
    decimals = rule.decimals if held is None else min(held, rule.decimals)
    units = math.ceil(half * 10**decimals)
    smallest, largest = _range(column)
    return {
        "how": how,
        "decimals": decimals,
        "half": units,
        "half_decimals": decimals,
        "smallest": smallest,
        "largest": largest,
    }


def _decimals_of(rule: NumberRule) -> int:
    """How many decimals the rule's own numbers have."""
    return max(-int(number.normalize().as_tuple().exponent) for number in (*rule.numbers, Decimal(0)))


def _decimals_held(column: Column) -> int | None:
    """How many decimals a value of the column can have; None where there is no limit."""
    if column.kind == "integer":
        return 0
    match = re.search(r"\(\s*\d+\s*,\s*(\d+)\s*\)", column.type)
    return int(match[1]) if column.kind == "decimal" and match else None


def _range(column: Column) -> tuple[int | None, int | None]:
    """The smallest and largest whole number the column's type holds, where that is a limit to reckon with."""
    name = column.type.lower()
    unsigned = "unsigned" in name or re.match(r"u(tiny|small|big|huge)?int", name) is not None
    smallest, largest = None, None
    if column.kind == "decimal":
        match = re.search(r"\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)", name)
        digits = int(match[1]) - int(match[2] or 0) if match else _UNLIMITED_DIGITS
        if digits < _UNLIMITED_DIGITS:
            smallest, largest = 1 - 10**digits, 10**digits - 1
    elif column.kind == "integer":
        word = re.match(r"[a-z]+", name.removeprefix("u") if unsigned else name)
        bits = _BITS.get(word[0] if word else "")
        if name.startswith("year"):
            return 1901, 2155
        if bits is not None:
            smallest, largest = -(2 ** (bits - 1)), 2 ** (bits if unsigned else bits - 1) - 1
    return (0 if unsigned else smallest), largest
