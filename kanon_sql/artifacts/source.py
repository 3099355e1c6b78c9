"""The source of a run: its columns and how each is published."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from kanon_sql.hierarchy import Rule
from kanon_sql.models import Values
from kanon_sql.outputs import DEFAULT, Output
from kanon_sql.tables import Column, RowSource


@dataclass(frozen=True)
class QuasiIdentifier:
    """A quasi-identifier of the source: its number in policy order, its column, its hierarchy and how it is published."""

    number: int
    column: Column
    hierarchy: Rule
    output: Output = DEFAULT

    @property
    def has_bounds(self) -> bool:
        """Return whether it is published as two bounds of its type."""
        return self.output.has_bounds

    @property
    def value(self) -> str:
        """Return the name of its raw value among the combinations."""
        return f"v{self.number}"

    @property
    def published_names(self) -> tuple[str, ...]:
        """Return the columns of the release that contain it."""
        return self.output.published_names(self.column.name)

    def part(self, level: int) -> str:
        """Return the name of its part of the class key at a level."""
        return f"q{self.number}_{level}"


@dataclass(frozen=True)
class Identifier:
    """An identifier whose values are replaced by hashes, numbers or NULL."""

    column: Column
    action: str
    key: str | None


@dataclass(frozen=True)
class Profile:
    """The source of a run: the columns that are generalized or kept, in the order of the release."""

    source: RowSource  # read by templates
    columns: tuple[Column, ...]
    quasi_identifiers: tuple[QuasiIdentifier, ...]
    identifiers: tuple[Identifier, ...]
    dropped: tuple[str, ...]
    warnings: tuple[str, ...]
    sensitive: tuple[QuasiIdentifier, ...] = ()  # the sensitive columns that models or costs need, counted like quasi-identifiers
    sensitive_values: tuple[Values, ...] = ()  # the values of them that models and costs use
    label: Values | None = None  # the values that `cm` uses
    entity: Column | None = None  # the column that identifies persons
    title: str = "the table"  # the name of the source in messages
    hidden: tuple[str, ...] = ()  # notes on row-level security that hides rows from the run
    ranked: bool = False  # codes are in the order of the values, for categories in the order of their tree
    sampled_rows: int = 0  # rows that were read to describe kept columns; 0 if there are none
    codes_together: bool = False  # the codes of all sensitive values and persons are in one table

    @property
    def kept(self) -> tuple[Column, ...]:
        """Return the columns whose values are published unchanged."""
        replaced = {identifier.column.name for identifier in self.identifiers}
        return tuple(column for column in self.columns if column.name not in self.by_column and column.name not in replaced)

    @cached_property
    def by_column(self) -> dict[str, QuasiIdentifier]:
        """Return the quasi-identifiers by column name."""
        return {q.column.name: q for q in self.quasi_identifiers}

    @cached_property
    def published_names(self) -> frozenset[str]:
        """Return the columns of the release that contain quasi-identifiers."""
        return frozenset(name for q in self.quasi_identifiers for name in q.published_names)
