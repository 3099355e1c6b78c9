"""What every backend offers the workspace: run SQL text untouched, in a transaction, with its errors explained."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from kanon_sql.tables import ColumnKind

Row = tuple[Any, ...]


class Backend(ABC):
    """One connection to one database."""

    dialect: ClassVar[str]
    text_type: ClassVar[str]
    placeholder: ClassVar[str] = "?"
    max_parameters: ClassVar[int] = 30_000
    keeps_derived_order: ClassVar[bool] = True
    driver_errors: tuple[type[Exception], ...] = ()

    @abstractmethod
    def run(self, sql: str, parameters: Sequence[object] = ()) -> None:
        """Runs one statement."""

    @abstractmethod
    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """The rows of one query, numbers as int and float."""

    @abstractmethod
    def begin(self, *, writes: bool) -> None:
        """Opens the transaction that gives count, publish and verify one picture of the source."""

    @abstractmethod
    def commit(self) -> None:
        """Makes everything since `begin` visible at once."""

    @abstractmethod
    def rollback(self) -> None:
        """Undoes everything since `begin`; harmless outside a transaction."""

    @abstractmethod
    def close(self) -> None:
        """Closes the connection if this backend opened it."""

    @abstractmethod
    def kind_of(self, type_name: str) -> ColumnKind:
        """What kind of values a column of this type holds."""

    @abstractmethod
    def explain(self, error: Exception) -> str:
        """A driver's error in our words: its kind, never its text, which may hold values."""

    def bindable(self, value: object) -> object:
        """A Python value as the driver takes it."""
        return value
