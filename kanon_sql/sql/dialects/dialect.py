"""What differs between dialects of SQL: quotes, what a text of a user may hold, and expressions that sqlglot spells wrongly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from sqlglot import exp

    Respell: TypeAlias = Callable[[exp.Expr], exp.Expr]

PLAIN_TEXT = r"'(?:[^']|'')*'"
ESCAPED_TEXT = r"'(?:[^'\\]|''|\\.)*'"
DOLLAR_TEXT = r"(?P<dollars>\$(?:[A-Za-z_]\w*)?\$).*?(?P=dollars)"
DOUBLE_QUOTED = r'"(?:[^"]|"")*"'
BACKTICKED = r"`(?:[^`]|``)*`"
BLOCK_COMMENT = r"/\*(?!!|M!)(?:(?!/\*|\*/).)*\*/"  # a nested one ends in different places in different databases
LINE_COMMENT = r"--[^\n]*"

KEYED = "keyed"  # the alias of derived tables that compute the class keys, which are integers, for a grouping


@dataclass(frozen=True)
class Lexicon:
    """The comments, literals and quoted names of a dialect, as regular expressions; any other text that begins with a quote is refused."""

    literals: str
    quoted_names: str = DOUBLE_QUOTED
    comments: str = rf"{LINE_COMMENT}|{BLOCK_COMMENT}"
    has_unicode_escapes: bool = False  # U&'…' is a literal
    quotes_by_brackets: bool = False  # [a] is a name, not an element


@dataclass(frozen=True)
class Dialect:
    """A dialect under the name that sqlglot and the folder of its templates have."""

    name: str
    lexicon: Lexicon
    reading: frozenset[str]  # functions that only read
    varying: frozenset[str]  # functions that give another value at every call
    quote_mark: str = '"'
    respell: Respell | None = None  # corrects what sqlglot spells wrongly; None means that templates are written in this dialect
    respell_templates: Respell | None = None  # after that, in templates only, where the names of columns are known
    # Where a function may be called by its full name: the schemas that nobody but the database itself can add functions to.
    # None means any schema, where the catalog is asked whether a user has defined a function of that name.
    function_schemas: tuple[str, ...] | None = ()
    exact_text: str = 'cast({} as varchar) collate "C"'  # text of a column, compared byte for byte
    drops_together: bool = False  # one statement drops several tables
    draws_samples: bool = False  # rows spread over a table are read without numbering all rows
    repeats_samples: bool = False  # `repeatable` draws the same sample again

    def quote(self, name: str) -> str:
        """Return an identifier in quotes."""
        return self.quote_mark + name.replace(self.quote_mark, self.quote_mark * 2) + self.quote_mark
