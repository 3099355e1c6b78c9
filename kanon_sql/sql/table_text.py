"""Reads and edits the text of a CREATE TABLE statement: what an engine's catalog tells nowhere else stays as it is written."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

_PIECES = re.compile(
    r"""\s+ | --[^\n]* | /\*.*?\*/ | '(?:[^']|'')*' | "(?:[^"]|"")*" | `(?:[^`]|``)*` | \[[^\]]*\] | [\w$]+ | .""", re.VERBOSE | re.DOTALL
)
_QUOTES = {'"': '"', "`": "`", "[": "]", "'": "'"}
_CLAUSES = frozenset(
    {"CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "REFERENCES", "GENERATED", "AS", "COMMENT", "AUTO_INCREMENT"}
)
_TABLE_CLAUSES = {
    "PRIMARY": "unique", "UNIQUE": "unique", "CHECK": "check", "FOREIGN": "outgoing_key", "KEY": "index", "INDEX": "index",
    "FULLTEXT": "index", "SPATIAL": "index", "CONSTRAINT": "", "PERIOD": "other",
}  # fmt: skip
# Words that begin a clause on MariaDB, which quotes every column, and may be a column's plain name elsewhere.
_CLAUSES_OF_MARIADB = frozenset({"KEY", "INDEX", "FULLTEXT", "SPATIAL", "PERIOD"})
_SUFFIXES = {"unique": "key", "check": "check", "outgoing_key": "fkey", "index": "idx"}


@dataclass(frozen=True)
class Constraint:
    """A key or check of a table, as it is written: inside a column's definition or beside the columns."""

    kind: str
    name: str
    columns: tuple[str, ...]
    text: str
    inside: str | None = None


@dataclass(frozen=True)
class ColumnText:
    """A column as it is written: its name, its type, and the clauses after it."""

    name: str
    type: str
    clauses: tuple[str, ...]

    @property
    def definition(self) -> str:
        """Everything that is said of the column."""
        return " ".join((self.type, *self.clauses))

    @property
    def generation(self) -> str:
        """The clause that computes the column from others; empty if there is none."""
        clauses = [c for c in self.clauses if _words(c)[:1] in (["AS"], ["GENERATED"]) and "IDENTITY" not in _words(c)]
        return " ".join(clauses)

    @property
    def is_generated(self) -> bool:
        """Whether the column is computed from others."""
        return bool(self.generation)

    @property
    def has_default(self) -> bool:
        """Whether a row that says nothing of the column gets a value all the same."""
        return any(_words(clause)[:1] == ["DEFAULT"] and _words(clause) != ["DEFAULT", "NULL"] for clause in self.clauses)

    def without_default(self) -> ColumnText:
        """Return the column without its default."""
        return replace(self, clauses=tuple(clause for clause in self.clauses if _words(clause)[:1] != ["DEFAULT"]))

    @property
    def is_counted(self) -> bool:
        """Whether the column gives numbers by itself."""
        return any({"AUTOINCREMENT", "AUTO_INCREMENT"} & set(_words(clause)) for clause in self.clauses)


@dataclass(frozen=True)
class TableText:
    """A CREATE TABLE statement, taken apart."""

    columns: tuple[ColumnText, ...]
    constraints: tuple[Constraint, ...]
    options: str

    @property
    def beside(self) -> tuple[Constraint, ...]:
        """The keys and checks that stand beside the columns."""
        return tuple(constraint for constraint in self.constraints if not constraint.inside)

    def column(self, name: str) -> ColumnText:
        """The column of that name, however it is capitalized."""
        return next(column for column in self.columns if column.name.casefold() == name.casefold())

    def without(self, constraints: Collection[Constraint]) -> TableText:
        """The table without these keys and checks."""
        inside = {(c.inside, c.text) for c in constraints if c.inside}
        columns = tuple(
            replace(column, clauses=tuple(clause for clause in column.clauses if (column.name, clause) not in inside))
            for column in self.columns
        )
        return replace(self, columns=columns, constraints=tuple(c for c in self.constraints if c not in constraints))

    def without_defaults(self, names: Collection[str]) -> TableText:
        """Return the table with these columns' defaults left out."""
        return replace(self, columns=tuple(c.without_default() if c.name in names else c for c in self.columns))

    def retyped(self, types: Mapping[str, str]) -> TableText:
        """The table with these columns' types changed, and everything else that is said of them kept."""
        columns = tuple(replace(column, type=types.get(column.name, column.type)) for column in self.columns)
        return replace(self, columns=columns)


def read(text: str, table: str) -> TableText:
    """The statement taken apart; keys and checks without a name get the one PostgreSQL would give them."""
    pieces = [piece for piece in _PIECES.findall(text) if not piece.startswith(("--", "/*"))]
    start = pieces.index("(")
    end = len(pieces) - 1 - pieces[::-1].index(")")
    depth, close = 0, end
    for position in range(start, end + 1):
        depth += (pieces[position] == "(") - (pieces[position] == ")")
        if depth == 0:
            close = position
            break
    columns: list[ColumnText] = []
    constraints: list[Constraint] = []
    items = [item for item in _split(pieces[start + 1 : close]) if item]
    for item in items:
        if _is_column(item):
            columns.append(_column(item))
    names = [column.name for column in columns]
    for column in columns:
        constraints.extend(_inline(column, names, table))
    for item in items:
        if not _is_column(item):
            constraints.append(_beside(item, names, table))
    return TableText(tuple(columns), tuple(constraints), "".join(pieces[close + 1 :]).strip().rstrip(";").strip())


def unquoted(name: str) -> str:
    """An identifier without its quotes."""
    mark = _QUOTES.get(name[:1])
    return name[1:-1].replace(mark * 2, mark) if mark else name


def mentioned(text: str, names: Collection[str], *, quote: str = "") -> tuple[str, ...]:
    """The names that stand in a text as words of their own, or in quotes where it quotes them all; capitals do not count."""
    folded = text.casefold()
    if quote:
        return tuple(name for name in names if quote + name.casefold().replace(quote, quote * 2) + quote in folded)
    spellings = {name: {name.casefold(), *(name.casefold().replace(mark, mark * 2) for mark in '"`')} for name in names}
    return tuple(name for name in names if any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", folded) for word in spellings[name]))


def names_in(expression: str) -> str:
    """An expression without its text literals and the names of the functions it calls."""
    pieces = [piece for piece in _PIECES.findall(expression) if not piece.isspace()]
    kept = [
        piece
        for before, piece, after in zip(["", *pieces], pieces, [*pieces[1:], ""], strict=False)
        if not (piece[0] == "'" and before != ".") and not (after == "(" and piece[0] not in _QUOTES)
    ]
    return " ".join(kept)


def _split(pieces: list[str]) -> Iterator[list[str]]:
    """The items between commas that stand in no parentheses, without the space around them."""
    depth, item = 0, list[str]()
    for piece in [*pieces, ","]:
        depth += (piece == "(") - (piece == ")")
        if piece == "," and depth == 0:
            yield _trimmed(item)
            item = []
        else:
            item.append(piece)


def _trimmed(item: list[str]) -> list[str]:
    while item and item[0].isspace():
        item = item[1:]
    while item and item[-1].isspace():
        item = item[:-1]
    return item


def _is_column(item: list[str]) -> bool:
    if item[0].upper() in _CLAUSES_OF_MARIADB:
        return not "".join(item[1:]).lstrip().upper().startswith(("`", "KEY `", "INDEX `", "FOR "))
    return item[0].upper() not in _TABLE_CLAUSES


def _column(item: list[str]) -> ColumnText:
    """A column's definition: the type reaches to the first word that begins a clause."""
    parts: list[list[str]] = [[]]
    depth, before = 0, ""
    for piece in item[1:]:
        word = piece.upper()
        if depth == 0 and word in _CLAUSES and not _continues(before, word):
            parts.append([])
        parts[-1].append(piece)
        depth += (piece == "(") - (piece == ")")
        before = before if piece.isspace() else word
    kind, *clauses = ("".join(part).strip() for part in parts)
    joined: list[str] = []
    for clause in clauses:
        is_named_only = bool(joined) and _words(joined[-1])[0] == "CONSTRAINT" and len(_words(joined[-1])) == 2
        if is_named_only or (joined and _words(clause)[:2] == ["NOT", "DEFERRABLE"]):
            joined[-1] += f" {clause}"
        else:
            joined.append(clause)
    return ColumnText(unquoted(item[0]), kind, tuple(joined))


def _continues(before: str, word: str) -> bool:
    """Whether a word that could begin a clause goes on with the one before it."""
    if word == "NULL":
        return before in ("NOT", "DEFAULT", "SET")
    if word == "DEFAULT":
        return before in ("SET", "BY")
    if word == "AS":
        return before in ("ALWAYS", "DEFAULT")
    return before == "CONSTRAINT"


def _words(text: str) -> list[str]:
    return [piece.upper() for piece in _PIECES.findall(text) if not piece.isspace()]


def _inline(column: ColumnText, names: list[str], table: str) -> Iterator[Constraint]:
    """The keys and checks inside a column's definition, which a CONSTRAINT before them names."""
    for clause in column.clauses:
        given, words = "", _words(clause)
        if words[0] == "CONSTRAINT":
            given, words = unquoted([piece for piece in _PIECES.findall(clause) if not piece.isspace()][1]), words[2:]
        kind = {"PRIMARY": "unique", "UNIQUE": "unique", "CHECK": "check", "REFERENCES": "outgoing_key"}.get(words[0])
        if kind:
            columns = (column.name,) if kind != "check" else tuple(dict.fromkeys((column.name, *mentioned(clause, names))))
            yield Constraint(kind, given or _named(table, kind, columns, primary=words[0] == "PRIMARY"), columns, clause, column.name)


def _beside(item: list[str], names: list[str], table: str) -> Constraint:
    """A key or check that stands beside the columns."""
    pieces = [piece for piece in item if not piece.isspace()]
    given = ""
    if pieces[0].upper() == "CONSTRAINT":
        given, pieces = unquoted(pieces[1]), pieces[2:]
    first = pieces[0].upper()
    kind = _TABLE_CLAUSES.get(first, "check")
    opening = pieces.index("(") if "(" in pieces else len(pieces)
    named = [piece for piece in pieces[1:opening] if piece[0] in _QUOTES]
    if not given and named:
        given = unquoted(named[-1])
    inner = pieces[opening:]
    columns = _key_columns(inner, names) if kind in ("unique", "index", "outgoing_key") else mentioned("".join(item), names)
    given = given or ("PRIMARY" if first == "PRIMARY" and "`" in "".join(item) else "")
    return Constraint(kind, given or _named(table, kind, columns, primary=first == "PRIMARY"), columns, "".join(item))


def _key_columns(inner: list[str], names: list[str]) -> tuple[str, ...]:
    """The columns in the first parentheses."""
    until = inner.index(")") if ")" in inner else len(inner)
    folded = {name.casefold(): name for name in names}
    return tuple(folded[key] for piece in inner[:until] if (key := unquoted(piece).casefold()) in folded)


def _named(table: str, kind: str, columns: tuple[str, ...], *, primary: bool) -> str:
    return f"{table}_pkey" if primary else "_".join((table, *columns, _SUFFIXES.get(kind, kind)))
