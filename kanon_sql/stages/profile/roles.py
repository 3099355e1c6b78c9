"""Suggests a role and a hierarchy for a column, by its name, the shape of its values and how far it singles rows out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from kanon_sql.hierarchy import GROUPABLE, Dates, Intervals, Mask, MaskRule, Rule, Suppress
from kanon_sql.stages.profile.defaults import FEW_VALUES, LONGEST_CODE, ColumnSample, default_hierarchy
from kanon_sql.tables import Column

Role = Literal["identifier", "quasi_identifier", "sensitive", "insensitive"]

MOST_QUASI_IDENTIFIERS = 10
SHORTEST_ABBREVIATION = 3


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words of a column's name. Those of NAMING decide only where no other word does: country_name is a place, drug_id a drug.
DIRECT = _words(
    """
    email mail phone telephone mobile fax ssn passport iban swift address addr street username login nickname ip mac url website
    cookie imei vin plate licence license insurance account card nin nhs mrn medicare soc fingerprint photo device signature
    """
)
NAMING = _words(
    """
    name surname forename firstname lastname fullname givenname initials id uuid guid nr number no key rec record identifier
    """
)
SENSITIVE = _words(
    """
    diagnosis diagnoses disease illness condition icd symptom treatment therapy medication drug dose prescription procedure surgery
    hiv genome genetic allergy lab result finding income salary wage wages pay payment earnings gain gains gross loss losses dividend
    dividends capital tax taxes cost costs price charge charges amount balance debt loan credit rent spending expense revenue bonus
    benefit score grade grades rating religion belief party vote political orientation crime offense offence conviction default
    employed target label outcome cancer smoker pregnancy
    """
)
CORE = _words(
    """
    age birth birthday birthdate born dob yob sex gender race ethnicity zip zipcode postal postcode plz city suburb country
    nationality marital education occupation profession job
    """
)
QUASI = _words(
    """
    age birth birthday birthdate born dob yob sex gender race ethnic ethnicity hispanic origin ancestry nationality nativity nation
    citizen citizenship country state province region county district city town village suburb municipality place zip zipcode postal
    postcode plz area neighborhood residence metropolitan marital marriage married spouse relationship household householder family
    children dependents education schooling school degree study major occupation job profession industry employer worker work title
    rank department language veteran military disability height weight eye hair blood visit admission admitted discharge hired
    enrolled entry death died date year
    """
)
DAYS = _words("birth birthday birthdate born dob date day")
AMOUNTS = ("decimal", "single", "float")


@dataclass(frozen=True)
class Shape:
    """What the distinct values of a text column look like: how many are e-mail addresses, digits only, ISO dates."""

    addresses: int = 0
    digits: int = 0
    iso_dates: int = 0


@dataclass(frozen=True)
class Suggestion:
    """A role and why; of quasi-identifiers also how likely others know it, 0 the likeliest."""

    role: Role
    reason: str
    tier: int = 0


def suggest_role(column: Column, sample: ColumnSample | None, shape: Shape, *, is_key: bool) -> Suggestion:
    """The role a column most likely has; where nothing tells, the careful one."""
    if sample is None or column.kind not in GROUPABLE:
        return Suggestion("identifier", f"values of type {column.type_name} cannot be counted; whoever knows one finds its row")
    if sample.values and shape.addresses >= 0.5 * sample.distinct:
        return Suggestion("identifier", "the values look like e-mail addresses")
    by_name = _by_name(column, sample)
    if by_name is not None and by_name.role == "identifier":
        return by_name
    if is_key:
        return Suggestion("identifier", "a key: each value has one row")
    return by_name or _by_values(column, sample)


def words_of(name: str) -> list[str]:
    """The words of a column's name, lower case: `dateOfBirth2` has date, of, birth."""
    parted = re.sub(r"([a-z\d])([A-Z])", r"\1 \2", name)
    return [word.lower() for word in re.findall(r"[^\W\d_]+", parted)]


def _by_name(column: Column, sample: ColumnSample) -> Suggestion | None:
    words = {*words_of(column.name), column.name.lower()}
    if words & DIRECT:
        return Suggestion("identifier", f"its name speaks of a direct identifier{_although_shared(sample)}")
    if words & SENSITIVE:
        return Suggestion("sensitive", "its name speaks of what a release is about")
    tier = 0 if words & CORE else 1 if words & QUASI else 2 if any(_abbreviates(word) for word in words) else None
    if tier is not None:
        return Suggestion("quasi_identifier", "its name speaks of what others may know of a person", tier)
    if words & NAMING or column.name.lower().endswith(("name", "_id")):
        return Suggestion("identifier", f"its name speaks of a name or number of a person{_although_shared(sample)}")
    return None


def _abbreviates(word: str) -> bool:
    """Whether a word begins a telling one, or the other way round: mar(ital), age(p)."""
    return len(word) >= SHORTEST_ABBREVIATION and any(
        known.startswith(word) or word.startswith(known) for known in CORE | QUASI if len(known) >= SHORTEST_ABBREVIATION
    )


def _although_shared(sample: ColumnSample) -> str:
    if sample.is_nearly_unique or not sample.values:
        return ""
    return ", although rows share its values"


def _by_values(column: Column, sample: ColumnSample) -> Suggestion:
    if sample.distinct <= 1:
        return Suggestion("insensitive", "one value in all rows, or none")
    if sample.is_nearly_unique and column.kind not in ("date", "timestamp"):
        what = "an amount" if column.kind in AMOUNTS else "a value"
        return Suggestion("identifier", f"nearly every row has {what} of its own")
    return Suggestion("quasi_identifier", "nothing says that others cannot know it", tier=3)


def suggest_hierarchy(column: Column, sample: ColumnSample, shape: Shape, *, misfits: int) -> tuple[Rule, str]:
    """A hierarchy that fits every value of the column, and why."""
    if misfits:
        return Suppress(), f"{misfits:,} values do not fit the type"
    longest = sample.longest or 0
    if column.kind == "text" and longest == len("2020-03-15") and shape.iso_dates >= 0.9 * sample.distinct > 0:
        return _mask(3, 6, 7, 8), "dates as text: day, month, year, decade are hidden"
    words = set(words_of(column.name))
    if column.kind == "integer" and sample.smallest is not None and sample.largest is not None and sample.distinct > FEW_VALUES:
        named = _by_named_number(words, sample.smallest, sample.largest)
        if named is not None:
            return named
    digits_only = column.kind == "text" and shape.digits >= 0.9 * sample.distinct > 0
    if digits_only and longest == len("20200315") and words & DAYS:
        return _mask(2, 4, 5, 6), "dates as digits: day, month, year, decade are hidden"
    if digits_only and 1 < longest <= LONGEST_CODE and sample.distinct > FEW_VALUES:
        return _mask(*range(1, longest)), "a code of digits: hidden from the right"
    rule = default_hierarchy(column, sample)
    return rule, _REASONS[type(rule)]


def _by_named_number(words: set[str], smallest: float, largest: float) -> tuple[Rule, str] | None:
    """A hierarchy for whole numbers whose name tells what they are."""
    if words & DAYS and 1800_00_00 < largest < 2200_00_00:
        return _mask(2, 4, 5, 6), "dates as digits: day, month, year, decade are hidden"
    if words & {"zip", "zipcode", "postal", "postcode", "plz"} and largest >= 1000:
        return _mask(*range(1, len(str(int(largest))))), "a postal code: hidden from the right"
    if any(word.startswith("age") for word in words) and smallest >= 0 and largest <= 150:
        return Intervals(intervals=[Decimal(width) for width in (5, 10, 20, 40)]), "ages in years"
    return None


def _mask(*hide: int) -> Mask:
    return Mask(mask=MaskRule(hide=list(hide)))


_REASONS: dict[type[Rule], str] = {
    Suppress: "kept or hidden; a tree or a CSV file would keep more",
    Intervals: "intervals by its range",
    Dates: "calendar units",
    Mask: "a code of one length: hidden from the right",
}
