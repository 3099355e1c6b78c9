"""The hierarchy `csv`: a file with one line per leaf."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Self

from kanon_sql.hierarchy.lines import read_csv
from kanon_sql.hierarchy.listing import Listing
from kanon_sql.tables import Column


class CsvFile(Listing):
    """A hierarchy in a file: one line per leaf, `leaf;level1;level2;…`, after a header if it has one."""

    key: ClassVar[str] = "csv"
    header_advice: ClassVar[str] = "If it is a header, write header: true next to csv; if it is a leaf, write header: false"
    csv: str
    header: bool | None = None

    @property
    def where(self) -> str:
        return f"hierarchy file {self.csv}"

    def read(self, folder: Path) -> Self:
        if self.lines:
            return self
        path = folder / self.csv
        return self.with_lines(read_csv(path, header=bool(self.header)), where=f"hierarchy file {path}")

    @property
    def may_have_header(self) -> bool:
        """Whether the first line shares no label with the others, which do share labels: a header, or a branch of one leaf."""
        first, *others = (line.cells[1:] for line in self.lines)
        levels = list(zip(*others, strict=True))
        shares_nothing = all(label not in level for label, level in zip(first, levels, strict=False))
        return self.header is None and shares_nothing and any(len(set(level)) < len(level) for level in levels)

    def describe_uncovered(self, values: str, column: Column) -> str:
        del column
        return (
            f"{self.csv} does not list {values}. Add the missing values, or map them to the root with {{csv: {self.csv}, unlisted: root}}"
        )

    @property
    def content(self) -> Any:
        return {**super().content, "csv": self.lines}
