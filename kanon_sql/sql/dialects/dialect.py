"""What differs between dialects of SQL: quotes, what a text of a user may hold, and expressions that sqlglot spells wrongly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

Respell = Callable[[exp.Expr], exp.Expr]

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
    repeats_samples: bool = False  # `repeatable` draws the same sample again

    def quote(self, name: str) -> str:
        """Return an identifier in quotes."""
        return self.quote_mark + name.replace(self.quote_mark, self.quote_mark * 2) + self.quote_mark


def rename_collation(node: exp.Collate, collation: str) -> exp.Expr:
    """Return a comparison byte for byte, which templates write as `collate "C"`, by the dialect's own collation."""
    return exp.Collate(this=node.this, expression=exp.Var(this=collation))


def divide_integers(node: exp.IntDiv, respell: Respell) -> exp.Expr:
    """Return an integer division as `/`, where integers divide to integers; sqlglot would use floating point or numeric."""
    # What is inside is not visited again once its parent is replaced, so it is respelled here.
    above, below = (part.transform(respell) for part in (node.this, node.expression))
    return exp.Paren(this=exp.Div(this=above, expression=below, typed=True, safe=False))


def widen_to_decimal(node: exp.Cast) -> exp.Expr:
    """Return a cast to the widest integer as one to a decimal, where there is no integer of 128 bits."""
    if node.to.is_type("int128"):
        node.set("to", exp.DataType.build("decimal(38, 0)"))
    return node
