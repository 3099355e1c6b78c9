"""What hierarchies share that list their leaves one by one: in a file, in the policy, or in a table."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from kanon_sql.hierarchy.lines import Line, require_tree
from kanon_sql.hierarchy.rule import LabelForm, Rule, TemplateCall
from kanon_sql.tables import Column

ROOT = "*"


class Listing(Rule):
    """A hierarchy with one line per leaf: the leaf, then its label on each level."""

    has_bounds: ClassVar[bool] = True
    unit: ClassVar[str] = "line"  # how messages call a line
    header_advice: ClassVar[str] = ""  # what to do if the first line may be a header
    unlisted: Literal["error", "root"] = "error"
    lines: tuple[Line, ...] = Field(default=(), exclude=True, repr=False)

    @model_validator(mode="before")
    @classmethod
    def _no_lines(cls, value: object) -> object:
        if isinstance(value, dict) and "lines" in value:
            raise ValueError("unknown key 'lines'")
        return value

    @property
    def listing(self) -> Listing:
        return self

    @property
    @abstractmethod
    def where(self) -> str:
        """How messages call the place where the leaves are listed."""

    def with_lines(self, lines: tuple[Line, ...], where: str | None = None) -> Self:
        """Return the same rule with its lines, or raise if they are not a tree."""
        require_tree(where or self.where, lines, self.unit)
        return self.model_copy(update={"lines": lines})

    @property
    def has_root(self) -> bool:
        """Whether the last level is one label already."""
        return len({line.cells[-1] for line in self.lines}) == 1

    @property
    def height(self) -> int:
        return len(self.lines[0].cells) - 1 + (0 if self.has_root else 1)

    @property
    def unlisted_position(self) -> int:
        """The position in the list that unlisted values get: after all leaves."""
        return len(self.lines) + 1

    @property
    def rooted_lines(self) -> list[tuple[str, ...]]:
        """The leaves with all their labels, the root included."""
        return [line.cells if self.has_root else (*line.cells, ROOT) for line in self.lines]

    @property
    def may_have_header(self) -> bool:
        """Whether the first line may be a header."""
        return False

    def labels(self, column: Column) -> TemplateCall:
        """Return the statement that labels leaves; the caller also adds `file`, the lines as a table, `height` and `has_root`."""
        del column
        arguments = {"unlisted_to_root": self.unlisted == "root", "unlisted": self.unlisted_position}
        return TemplateCall("labels/levels/listed", arguments)

    def bounds(self, column: Column, level: int) -> TemplateCall:
        del column, level
        return TemplateCall("labels/bounds/listed", {"unlisted": self.unlisted_position})

    @property
    def label_form(self) -> LabelForm:
        leaves = {line.cells[0] for line in self.lines}
        return LabelForm(labels=frozenset(label for line in self.lines for label in line.cells[1:]) - leaves)
