"""Hierarchies that the user lists leaf by leaf: in a file, in the policy itself, or in a table."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from kanon_sql.hierarchy.lines import Line, plain_tree, read_csv, require_tree, tree_lines
from kanon_sql.hierarchy.rule import Rule


class Listing(Rule):
    """A hierarchy with one line per leaf: the leaf, then its label on each level."""

    template: ClassVar[str] = "labels/levels/listed"
    unit: ClassVar[str] = "line"
    unlisted: Literal["error", "root"] = "error"
    lines: tuple[Line, ...] = Field(default=(), exclude=True, repr=False)

    @model_validator(mode="before")
    @classmethod
    def _no_lines(cls, given: object) -> object:
        if isinstance(given, dict) and "lines" in given:
            raise ValueError("unknown key 'lines'")
        return given

    @property
    @abstractmethod
    def where(self) -> str:
        """What errors call the place where the leaves are listed."""

    def with_lines(self, lines: tuple[Line, ...], where: str | None = None) -> Self:
        """The same rule with its lines, checked to be a tree."""
        require_tree(where or self.where, lines, self.unit)
        return self.model_copy(update={"lines": lines})

    @property
    def has_root(self) -> bool:
        """Whether the last level is one label already."""
        return len({line.cells[-1] for line in self.lines}) == 1

    @property
    def height(self) -> int:
        return len(self.lines[0].cells) - 1 + (0 if self.has_root else 1)


class Listed(Listing):
    """A hierarchy in a file: one line per leaf, `leaf;level1;level2;…`, after a header if it has one."""

    csv: str
    header: bool | None = None

    @property
    def where(self) -> str:
        return f"hierarchy file {self.csv}"

    def read(self, folder: Path) -> Self:
        """The same rule with the file's lines."""
        path = folder / self.csv
        return self.with_lines(read_csv(path, header=bool(self.header)), where=f"hierarchy file {path}")

    @property
    def has_odd_first_line(self) -> bool:
        """Whether the first line shares no label with the others, which do share labels: a header, or a branch of one leaf."""
        first, *others = (line.cells[1:] for line in self.lines)
        levels = list(zip(*others, strict=True))
        shares_nothing = all(label not in level for label, level in zip(first, levels, strict=False))
        return self.header is None and shares_nothing and any(len(set(level)) < len(level) for level in levels)

    @property
    def others_have_root(self) -> bool:
        """Whether all lines but the first end in one label."""
        return len({line.cells[-1] for line in self.lines[1:]}) == 1


class Tree(Listing):
    """A hierarchy in the policy: labels that hold values, or further labels, to any depth."""

    unit: ClassVar[str] = "leaf"
    tree: dict[str, Any]

    @field_validator("tree", mode="before")
    @classmethod
    def _plain(cls, given: object) -> object:
        if not isinstance(given, dict):
            raise ValueError("must map each label to a list of values or to further labels, such as {Europe: [France, Italy]}")
        return plain_tree(given)

    @property
    def where(self) -> str:
        return "hierarchy tree"

    def read(self, folder: Path) -> Self:  # noqa: ARG002 (a tree needs no file)
        """The same rule with the tree's lines."""
        return self.with_lines(tree_lines(self.tree))


class FromTable(Listing):
    """A hierarchy in a table of the same database, with the columns value, level1, level2 and so on."""

    unit: ClassVar[str] = "row"
    table: str

    @property
    def where(self) -> str:
        return f"hierarchy table {self.table}"
