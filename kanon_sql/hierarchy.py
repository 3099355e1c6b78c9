"""Hierarchies: how a policy describes the ladder of one column, and what each kind of column may use."""

from __future__ import annotations

import csv
import io
from abc import abstractmethod
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from kanon_sql.errors import HierarchyError
from kanon_sql.tables import ColumnKind

ROOT = "*"

CALENDAR = ("month", "quarter", "year", "decade", "century")
DateUnit = Literal["week", "month", "quarter", "year", "decade", "century"]

GROUPABLE: tuple[ColumnKind, ...] = ("integer", "decimal", "single", "float", "boolean", "date", "timestamp", "text")


class Rule(BaseModel):
    """One way to describe a hierarchy; `kinds` are the columns it fits."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    kinds: ClassVar[tuple[ColumnKind, ...]] = GROUPABLE
    template: ClassVar[str]

    @property
    @abstractmethod
    def height(self) -> int:
        """The number of generalization steps, the root included."""


class Suppress(Rule):
    """The value, then the root."""

    template: ClassVar[str] = "count/labels/suppress"
    suppress: Literal[True] = True

    @property
    def height(self) -> int:
        return 1


class Intervals(Rule):
    """Numbers in half-open intervals `[lo,hi)` of growing width."""

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("integer", "decimal", "single", "float")
    template: ClassVar[str] = "count/labels/intervals"
    intervals: Annotated[list[Decimal], Field(min_length=1)]
    origin: Decimal = Decimal(0)

    @field_validator("intervals")
    @classmethod
    def _nest(cls, widths: list[Decimal]) -> list[Decimal]:
        if any(not width.is_finite() or width <= 0 for width in widths):
            raise ValueError("widths must be positive numbers")
        for narrow, wide in pairwise(widths):
            if wide <= narrow or wide % narrow:
                raise ValueError(f"each width must be a multiple of the one before it, and {wide} is not one of {narrow}")
        return widths

    @field_validator("origin")
    @classmethod
    def _finite(cls, origin: Decimal) -> Decimal:
        if not origin.is_finite():
            raise ValueError("must be a number")
        return origin

    @property
    def height(self) -> int:
        return len(self.intervals) + 1

    @property
    def decimals(self) -> int:
        """How many decimal places the bounds have."""
        exponents = [Decimal(number).normalize().as_tuple().exponent for number in (*self.intervals, self.origin)]
        return max(0, *(-int(exponent) for exponent in exponents))

    @property
    def scale(self) -> int:
        """What bounds are multiplied by to become whole numbers."""
        return int(10**self.decimals)

    @property
    def steps(self) -> list[int]:
        """The widths as whole numbers of units of 1/scale."""
        return [int(width * self.scale) for width in self.intervals]

    @property
    def start(self) -> int:
        """The origin in units of 1/scale."""
        return int(self.origin * self.scale)


class MaskRule(BaseModel):
    """How many characters are hidden from the right at each level, and by which character."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    char: Annotated[str, Field(min_length=1, max_length=1)] = "*"
    hide: Annotated[list[int], Field(min_length=1)]

    @field_validator("hide")
    @classmethod
    def _grow(cls, hide: list[int]) -> list[int]:
        if hide[0] < 1 or any(more <= less for less, more in pairwise(hide)):
            raise ValueError("must be growing whole numbers from 1, such as [1, 2, 3]")
        return hide


class Mask(Rule):
    """Text whose last characters are hidden step by step."""

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("text", "integer")
    template: ClassVar[str] = "count/labels/mask"
    mask: MaskRule

    @property
    def height(self) -> int:
        return len(self.mask.hide) + 1


class Dates(Rule):
    """Dates in calendar units."""

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("date", "timestamp")
    template: ClassVar[str] = "count/labels/dates"
    dates: Annotated[list[DateUnit], Field(min_length=1)]

    @field_validator("dates")
    @classmethod
    def _nest(cls, units: list[DateUnit]) -> list[DateUnit]:
        if units == ["week"]:
            return units
        if "week" in units:
            raise ValueError("a week nests in no other unit: write [week] alone")
        ranks = [CALENDAR.index(unit) for unit in units]
        if ranks != sorted(set(ranks)):
            raise ValueError("units must grow: " + ", ".join(CALENDAR))
        return units

    @property
    def height(self) -> int:
        return len(self.dates) + 1


class Listed(Rule):
    """A hierarchy in a file: one line per leaf, `leaf;level1;level2;…`."""

    template: ClassVar[str] = "count/labels/listed"
    csv: str
    unlisted: Literal["error", "root"] = "error"
    lines: tuple[tuple[str, ...], ...] = Field(default=(), exclude=True, repr=False)

    @model_validator(mode="before")
    @classmethod
    def _no_lines(cls, given: object) -> object:
        if isinstance(given, dict) and "lines" in given:
            raise ValueError("unknown key 'lines'")
        return given

    def read(self, folder: Path) -> Listed:
        """The same rule with the file's lines, checked to be a tree."""
        return self.model_copy(update={"lines": read_tree(folder / self.csv)})

    @property
    def has_root(self) -> bool:
        """Whether the file's last level is one label already."""
        return len({line[-1] for line in self.lines}) == 1

    @property
    def height(self) -> int:
        return len(self.lines[0]) - 1 + (0 if self.has_root else 1)


Hierarchy = Suppress | Intervals | Mask | Dates | Listed

RULES: dict[str, type[Rule]] = {
    "suppress": Suppress,
    "intervals": Intervals,
    "mask": Mask,
    "dates": Dates,
    "csv": Listed,
}


def read_tree(path: Path) -> tuple[tuple[str, ...], ...]:
    """The lines of a hierarchy file, proven to be a tree with one path per leaf."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise HierarchyError(f"hierarchy file {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise HierarchyError(f"hierarchy file {path} is not UTF-8 text (byte {error.start}): save it as UTF-8") from None
    first = text.split("\n", 1)[0]
    delimiter = ";" if ";" in first else ","
    try:
        lines = list(csv.reader(io.StringIO(text, newline=None), delimiter=delimiter, strict=True))
    except csv.Error:
        hint = f"with {delimiter!r} between columns; is a quote left open?"
        raise HierarchyError(f"hierarchy file {path} is not readable as CSV {hint}") from None
    numbered = [(number, tuple(line)) for number, line in enumerate(lines, start=1) if any(line)]
    if not numbered:
        raise HierarchyError(f"hierarchy file {path} is empty: write one line per value, leaf;level1;level2")
    _check_shape(path, numbered)
    _check_parents(path, numbered)
    return tuple(line for _, line in numbered)


def _check_shape(path: Path, numbered: list[tuple[int, tuple[str, ...]]]) -> None:
    width = len(numbered[0][1])
    leaves: dict[str, int] = {}
    for number, line in numbered:
        if len(line) != width:
            raise HierarchyError(f"hierarchy file {path}, line {number}: {len(line)} columns where line {numbered[0][0]} has {width}")
        if "" in line[1:]:
            raise HierarchyError(f"hierarchy file {path}, line {number}: level {line.index('', 1)} is empty; every level needs a label")
        if line[0] in leaves:
            first = leaves[line[0]]
            raise HierarchyError(f"hierarchy file {path}, line {number}: the same leaf stands in line {first}; a leaf has one path")
        leaves[line[0]] = number


def _check_parents(path: Path, numbered: list[tuple[int, tuple[str, ...]]]) -> None:
    for level in range(1, len(numbered[0][1]) - 1):
        parents: dict[str, tuple[str, int]] = {}
        for number, line in numbered:
            parent, first = parents.setdefault(line[level], (line[level + 1], number))
            if parent != line[level + 1]:
                raise HierarchyError(
                    f"hierarchy file {path}, line {number}: the label at level {level} has another parent than in line {first}; "
                    f"a hierarchy is a tree, so each label has one parent at level {level + 1}"
                )
