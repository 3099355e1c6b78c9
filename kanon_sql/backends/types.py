"""What the workspace must know about an engine's column types, names and bound values."""

from __future__ import annotations

from abc import ABC, abstractmethod

from kanon_sql.tables import ColumnKind


class ColumnTypes(ABC):
    """The column types of one engine."""

    @abstractmethod
    def kind_of(self, family: str) -> ColumnKind:
        """Return the kind of values that columns of this family of types hold."""

    @abstractmethod
    def holds_labels(self, type_name: str) -> bool:
        """Return whether a text column of this declared type can hold any label."""

    def declared(self, type_name: str) -> str:
        """Return a column's type, as the catalog spells it, in a form that can be declared again."""
        return type_name

    def name_limit(self, name: str) -> str | None:  # noqa: ARG002 (most engines have none)
        """Return the length limit of table names, if this name is longer."""
        return None

    def bindable(self, value: object) -> object:
        """Return a Python value in a form that the driver accepts."""
        return value
