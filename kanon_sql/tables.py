"""Names and columns of tables, as the catalog of a database describes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from kanon_sql.errors import RequestError

ColumnKind = Literal["integer", "decimal", "single", "float", "boolean", "date", "timestamp", "text", "other"]

NUMERIC_KINDS: frozenset[ColumnKind] = frozenset({"integer", "decimal", "single", "float", "date", "timestamp"})

_NAME_PART = re.compile(r'\s*(?:"((?:[^"]|"")+)"|([^".]+?))\s*(\.|$)')


@dataclass(frozen=True)
class TableName:
    """A table's name as its parts, outermost first: `schema.table` has two."""

    parts: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> TableName:
        """Return the name written as `table` or `schema.table`; a part with a dot is in double quotes."""
        parts: list[str] = []
        position, separator = 0, "."
        while separator == ".":
            match = _NAME_PART.match(text, position)
            if match is None:
                raise RequestError(
                    f"table name {text!r} cannot be read; write table, schema.table, "
                    'or "schema"."table" with double quotes around a part that contains a dot'
                )
            quoted, plain, separator = match.groups()
            parts.append(quoted.replace('""', '"') if quoted else plain)
            position = match.end()
        if len(parts) > 3:
            raise RequestError(f"table name {text!r} has more than three parts; write at most database.schema.table")
        return cls(tuple(parts))

    @property
    def table(self) -> str:
        """The last part."""
        return self.parts[-1]

    def sibling(self, table: str) -> TableName:
        """Return another table in the same schema."""
        return TableName((*self.parts[:-1], table))

    def __str__(self) -> str:
        return ".".join('"' + part.replace('"', '""') + '"' if "." in part or '"' in part else part for part in self.parts)


@dataclass(frozen=True)
class SourceQuery:
    """A user's query in the database's own dialect, proven to only read; templates read it like a table."""

    text: str


RowSource = TableName | SourceQuery


@dataclass(frozen=True)
class Column:
    """A column: its name, its type as the database writes it, and the kind of its values."""

    name: str
    type: str
    kind: ColumnKind

    @property
    def type_name(self) -> str:
        """The type without its details, which are values for an enum."""
        return self.type.split("(")[0]

    @property
    def is_short(self) -> bool:
        """Whether the type allows no text of more than 200 characters."""
        limit = re.match(r"(?:var)?char\((\d+)\)", self.type)
        return self.kind != "text" or (limit is not None and int(limit[1]) <= 200)

    @property
    def is_numeric(self) -> bool:
        """Whether values have distances (numbers, dates, timestamps)."""
        return self.kind in NUMERIC_KINDS


@dataclass(frozen=True)
class TableDescription:
    """The description of a table, a view or a query."""

    name: TableName
    columns: tuple[Column, ...]
    unique_columns: frozenset[str]
    read_as: SourceQuery | None = None  # what templates read instead of the table
    reads: tuple[TableName, ...] = ()  # the tables that the query mentions

    @property
    def source(self) -> RowSource:
        """What templates read: the table, or the query."""
        return self.read_as or self.name

    @property
    def is_query(self) -> bool:
        """Whether it is a query of the user, without a table."""
        return self.read_as is not None and self.name not in self.reads

    @property
    def title(self) -> str:
        """Its name in messages."""
        return "the query" if self.is_query else f"table {self.name.table}"

    def column(self, name: str) -> Column | None:
        """Return the column of that exact name, or None."""
        return next((column for column in self.columns if column.name == name), None)
