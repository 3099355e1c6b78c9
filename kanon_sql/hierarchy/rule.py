"""The base class of hierarchy kinds: what a kind supplies to the policy, to labels and to bounds."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from pydantic import BaseModel, ConfigDict

from kanon_sql.hierarchy.lines import Line
from kanon_sql.tables import Column, ColumnKind

if TYPE_CHECKING:
    from kanon_sql.hierarchy.listing import Listing

GROUPABLE: tuple[ColumnKind, ...] = ("integer", "decimal", "single", "float", "boolean", "date", "timestamp", "text")

RowReader = Callable[[str, str], tuple[Line, ...]]  # takes the name of a table and its name in messages; returns its rows


class TemplateCall(NamedTuple):
    """A template and its arguments."""

    template: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class LabelForm:
    """How to recognize a label of a rule in a text column: by characters hidden at its end, or as one of a list."""

    hide: Sequence[int] = ()
    char: int = 0  # the code point of the character that hides others
    labels: frozenset[str] | None = None


class Rule(BaseModel):
    """One kind of hierarchy. A kind is one file and one line in `RULES`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    key: ClassVar[str]  # the key in a policy
    kinds: ClassVar[tuple[ColumnKind, ...]] = GROUPABLE  # the columns it fits
    is_bare: ClassVar[bool] = False  # a policy may write the key alone
    groups_values: ClassVar[bool] = True  # it has levels between the values and the root
    hides_values: ClassVar[bool] = False  # its labels hide part of the values, which therefore must not be shown elsewhere
    spells_values: ClassVar[bool] = False  # its labels show numbers as text
    has_bounds: ClassVar[bool] = False  # its labels have a smallest and a largest value, for columns whose values have an order

    @property
    @abstractmethod
    def height(self) -> int:
        """The number of generalization steps, the root included."""

    @abstractmethod
    def labels(self, column: Column) -> TemplateCall:
        """Return the statement that labels the leaves of a column; the caller adds `leaves`."""

    def bounds(self, column: Column, level: int) -> TemplateCall:
        """Return the statement for the bounds of a level's labels; the caller adds `labels`, `hierarchy`, `level` and `kind`."""
        raise NotImplementedError(f"{self.key} has no bounds at level {level} of {column.kind} columns")

    def bounds_problem(self, column: Column) -> str | None:
        """Return why the bounds cannot be published in the column's type, or None."""
        del column
        return None

    @property
    def listing(self) -> Listing | None:
        """The rule itself if it lists its leaves, or None."""
        return None

    @property
    def largest(self) -> int:
        """The largest number the engine must compute with."""
        return 0

    @property
    def label_form(self) -> LabelForm:
        """How to recognize its labels in a text column."""
        return LabelForm()

    def read(self, folder: Path) -> Self:
        """Return the rule with the content of its file, which is relative to a folder."""
        del folder
        return self

    def read_table(self, read_rows: RowReader) -> Self:
        """Return the rule with the rows of its table."""
        del read_rows
        return self

    def describe_uncovered(self, values: str, column: Column) -> str:
        """Return the message about values without a label, which are counted in words, and what to do."""
        return f"its hierarchy has no label for {values} (the column has type {column.type_name})"

    def to_policy(self) -> Any:
        """Return the rule as a policy file writes it."""
        return _plain(self.model_dump(exclude_defaults=True))

    @property
    def content(self) -> Any:
        """All that decides its labels, as plain values, wherever its file is."""
        return self.model_dump(mode="json")


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=lambda number: int(number) if number == int(number) else float(number)))
