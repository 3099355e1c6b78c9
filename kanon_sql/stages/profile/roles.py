"""Suggest a role and a hierarchy for a column, by its name, the shape of its values and how many rows it identifies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from kanon_sql.hierarchy import GROUPABLE, Dates, Intervals, Mask, MaskRule, Rule, Suppress
from kanon_sql.stages.profile import vocabulary as known
from kanon_sql.stages.profile.defaults import FEW_VALUES, LONGEST_CODE, ColumnSample, default_hierarchy
from kanon_sql.tables import Column

Role = Literal["identifier", "quasi_identifier", "sensitive", "insensitive", "drop"]

MOST_QUASI_IDENTIFIERS = 10
SHORTEST_ABBREVIATION = 3
LARGEST_BODY_WEIGHT = 700  # in kilograms or pounds
OLDEST = 150
AMOUNTS = ("decimal", "single", "float")


@dataclass(frozen=True)
class Shape:
    """The number of distinct values of a text column that are e-mail addresses, digits only, or ISO dates."""

    addresses: int = 0
    digits: int = 0
    iso_dates: int = 0


@dataclass(frozen=True)
class Suggestion:
    """A role and the reason for it; for quasi-identifiers also how likely others know the value, 0 being the most likely."""

    role: Role
    reason: str
    tier: int = 0


def suggest_role(column: Column, sample: ColumnSample | None, shape: Shape, *, is_key: bool) -> Suggestion:
    """Return the most likely role of a column; without evidence, the careful one."""
    if sample is None or column.kind not in GROUPABLE:
        return Suggestion("identifier", f"values of type {column.type_name} cannot be counted, and may identify a row")
    if sample.values and shape.addresses >= 0.5 * sample.distinct:
        return Suggestion("identifier", "values look like e-mail addresses")
    by_name = _by_name(column, sample)
    if by_name is not None and by_name.role == "identifier":
        return by_name
    if is_key:
        return Suggestion("identifier", "a key: each value has one row")
    return by_name or _by_values(column, sample)


def words_of(name: str) -> list[str]:
    """Return the words of a column's name in lower case: `dateOfBirth2` has date, of, birth."""
    parted = re.sub(r"([a-z\d])([A-Z])", r"\1 \2", name)
    return [word.lower() for word in re.findall(r"[^\W\d_]+", parted)]


def _by_name(column: Column, sample: ColumnSample) -> Suggestion | None:
    """Return the role that the column's name suggests, if any; the first rule that applies decides."""
    words = {*words_of(column.name), column.name.lower()}
    if words & known.DIRECT or _is_social_security_number(words, column, sample):
        return Suggestion("identifier", f"column name suggests a direct identifier{_although_shared(sample)}")
    if words & known.GROUP_NUMBERS or (words & known.GROUPS and words & known.NUMBERING):
        return Suggestion("identifier", f"column name suggests the number of a household or group{_although_shared(sample)}")
    if _is_survey_weight(words, sample):
        return Suggestion("drop", "column name suggests a survey weight, which depends on the groups a person belongs to")
    tier = _tier(words, column.name.lower())
    if _suggests_sensitive(words):
        if not _is_known_to_others(words, column):
            return Suggestion("sensitive", "column name suggests a sensitive value")
        tier = 1 if tier is None else tier
    if tier is not None:
        return Suggestion("quasi_identifier", "column name suggests a quasi-identifier", tier)
    if words & known.NAMING or column.name.lower().endswith(("name", "_id")):
        return Suggestion("identifier", f"column name suggests a name or number of a person{_although_shared(sample)}")
    return None


def _tier(words: set[str], whole: str) -> int | None:
    """Return how likely others know the value of a quasi-identifier, None if the name does not suggest one."""
    if words & known.CORE or any(map(_is_age, words)) or whole.rstrip("0123456789") in known.CORE_CODES:
        return 0
    if words & (known.QUASI | known.EVENTS) and not words <= known.PERIODS:
        return 1
    return 2 if words & (known.HOUSING | known.PERIODS) or any(_abbreviates(word) for word in words) else None


def _suggests_sensitive(words: set[str]) -> bool:
    is_amount = {"social", "security"} <= words or ("value" in words and bool(words & known.PROPERTY))
    return is_amount or bool(words & known.SENSITIVE) or any(word.endswith(known.SENSITIVE_ENDINGS) for word in words)


def _is_known_to_others(words: set[str], column: Column) -> bool:
    """Return whether others may know the value although a word suggests a sensitive one: age_at_diagnosis, onset_date, own_rent."""
    is_date = column.kind in ("date", "timestamp") or bool(words & known.EVENTS)
    return is_date or any(map(_is_age, words)) or bool(words & known.HOUSING)


def _is_age(word: str) -> bool:
    return word in known.AGES or (word.startswith("age") and not word.startswith(known.NOT_AGES))


def _is_social_security_number(words: set[str], column: Column, sample: ColumnSample) -> bool:
    """Return whether the name suggests a social security number, not a benefit."""
    return {"social", "security"} <= words and (bool(words & known.NUMBERING) or column.kind == "text" or sample.is_nearly_unique)


def _is_survey_weight(words: set[str], sample: ColumnSample) -> bool:
    """Return whether the name suggests a survey weight, not the weight of a body."""
    if any("wgt" in word for word in words):
        return True
    return bool(words & known.WEIGHTS) and (
        bool(words & known.SURVEYS) or ((sample.largest or 0) > LARGEST_BODY_WEIGHT and not words & known.CORE)
    )


def _abbreviates(word: str) -> bool:
    """Return whether a word begins a known one, or the other way round: mar(ital), age(p)."""
    return len(word) >= SHORTEST_ABBREVIATION and any(
        whole.startswith(word) or word.startswith(whole) for whole in known.CORE | known.QUASI if len(whole) >= SHORTEST_ABBREVIATION
    )


def _although_shared(sample: ColumnSample) -> str:
    if sample.is_nearly_unique or not sample.values:
        return ""
    return ", although rows share its values"


def _by_values(column: Column, sample: ColumnSample) -> Suggestion:
    if sample.distinct <= 1:
        return Suggestion("insensitive", "one value in all rows, or none")
    if sample.is_nearly_unique and column.kind not in ("date", "timestamp"):
        what = "amount" if column.kind in AMOUNTS else "value"
        return Suggestion("identifier", f"nearly every row has a different {what}")
    return Suggestion("quasi_identifier", "no evidence that it is safe to publish; treated as a quasi-identifier", tier=3)


def suggest_hierarchy(column: Column, sample: ColumnSample, shape: Shape, *, misfits: int) -> tuple[Rule, str]:
    """Return a hierarchy that fits every value of the column, and the reason for it."""
    if misfits:
        return Suppress(), f"{misfits:,} values do not fit the type"
    words = set(words_of(column.name))
    if any(map(_is_age, words)) and _is_years(column, sample):
        return Intervals(intervals=[Decimal(width) for width in (5, 10, 20, 40)]), "ages in years"
    longest = sample.longest or 0
    if column.kind == "text" and longest == len("2020-03-15") and shape.iso_dates >= 0.9 * sample.distinct > 0:
        return _mask(3, 6, 7, 8), "dates as text: day, month, year, decade are hidden"
    if column.kind == "integer" and sample.smallest is not None and sample.largest is not None and sample.distinct > FEW_VALUES:
        named = _by_named_number(words, sample.largest)
        if named is not None:
            return named
    digits_only = column.kind == "text" and shape.digits >= 0.9 * sample.distinct > 0
    if digits_only and longest == len("20200315") and words & known.DAYS:
        return _mask(2, 4, 5, 6), "dates as digits: day, month, year, decade are hidden"
    if digits_only and 1 < longest <= LONGEST_CODE and sample.distinct > FEW_VALUES:
        return _mask(*range(1, longest)), "a code of digits: hidden from the right"
    rule = default_hierarchy(column, sample)
    return rule, _REASONS[type(rule)]


def _is_years(column: Column, sample: ColumnSample) -> bool:
    """Return whether all values are numbers that may be ages."""
    if column.kind not in ("integer", *AMOUNTS) or sample.smallest is None or sample.largest is None:
        return False
    return sample.smallest >= 0 and sample.largest <= OLDEST


def _by_named_number(words: set[str], largest: float) -> tuple[Rule, str] | None:
    """Return a hierarchy for whole numbers whose name says what they are."""
    if words & known.DAYS and 1800_00_00 < largest < 2200_00_00:
        return _mask(2, 4, 5, 6), "dates as digits: day, month, year, decade are hidden"
    if words & known.POSTAL_CODES and largest >= 1000:
        return _mask(*range(1, len(str(int(largest))))), "a postal code: hidden from the right"
    return None


def _mask(*hide: int) -> Mask:
    return Mask(mask=MaskRule(hide=list(hide)))


_REASONS: dict[type[Rule], str] = {
    Suppress: "published or suppressed; a tree or a CSV file would keep more detail",
    Intervals: "intervals chosen by the range of values",
    Dates: "calendar units",
    Mask: "a code of one length: hidden from the right",
}
