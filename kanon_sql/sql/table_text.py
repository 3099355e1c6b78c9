"""Read and edit the text of a CREATE TABLE statement, on engines whose catalog has no other source for its details."""

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
# Words that begin a clause on MariaDB, which quotes every column, and may be an unquoted column name elsewhere.
_CLAUSES_OF_MARIADB = frozenset({"KEY", "INDEX", "FULLTEXT", "SPATIAL", "PERIOD"})
_SUFFIXES = {"unique": "key", "check": "check", "outgoing_key": "fkey", "index": "idx"}


@dataclass(frozen=True)
class Constraint:
    """A key or check as written: inside a column's definition, or as its own item after the columns."""

    kind: str
    name: str
    columns: tuple[str, ...]
    text: str
    inside: str | None = None


@dataclass(frozen=True)
class ColumnText:
    """A column as written: its name, its type, and the clauses after the type."""

    name: str
    type: str
    clauses: tuple[str, ...]

    @property
    def definition(self) -> str:
        """Return the column's type and clauses."""
        return " ".join((self.type, *self.clauses))

    @property
    def generation(self) -> str:
        """Return the clause that computes the column from others, or an empty text."""
        clauses = [c for c in self.clauses if _words(c)[:1] in (["AS"], ["GENERATED"]) and "IDENTITY" not in _words(c)]
        return " ".join(clauses)

    @property
    def is_generated(self) -> bool:
        """Return whether the column is computed from others."""
        return bool(self.generation)

    @property
    def has_default(self) -> bool:
        """Return whether the column has a default other than NULL."""
        return any(_words(clause)[:1] == ["DEFAULT"] and _words(clause) != ["DEFAULT", "NULL"] for clause in self.clauses)

    def without_default(self) -> ColumnText:
        """Return the column without its default."""
        return replace(self, clauses=tuple(clause for clause in self.clauses if _words(clause)[:1] != ["DEFAULT"]))

    @property
    def is_counted(self) -> bool:
        """Return whether the column is AUTOINCREMENT."""
        return any({"AUTOINCREMENT", "AUTO_INCREMENT"} & set(_words(clause)) for clause in self.clauses)


@dataclass(frozen=True)
class TableText:
    """A parsed CREATE TABLE statement."""

    columns: tuple[ColumnText, ...]
    constraints: tuple[Constraint, ...]
    options: str

    @property
    def table_constraints(self) -> tuple[Constraint, ...]:
        """Return the keys and checks that are not inside a column's definition."""
        return tuple(constraint for constraint in self.constraints if not constraint.inside)

    def column(self, name: str) -> ColumnText:
        """Return the column of that name, in any capitalization."""
        return next(column for column in self.columns if column.name.casefold() == name.casefold())

    def without(self, constraints: Collection[Constraint]) -> TableText:
        """Return the table without these keys and checks."""
        inside = {(c.inside, c.text) for c in constraints if c.inside}
        columns = tuple(
            replace(column, clauses=tuple(clause for clause in column.clauses if (column.name, clause) not in inside))
            for column in self.columns
        )
        return replace(self, columns=columns, constraints=tuple(c for c in self.constraints if c not in constraints))

    def without_defaults(self, names: Collection[str]) -> TableText:
        """Return the table without the defaults of these columns."""
        return replace(self, columns=tuple(c.without_default() if c.name in names else c for c in self.columns))

    def retyped(self, types: Mapping[str, str]) -> TableText:
        """Return the table with other types for these columns, and their clauses unchanged."""
        columns = tuple(replace(column, type=types.get(column.name, column.type)) for column in self.columns)
        return replace(self, columns=columns)


def read(text: str, table: str) -> TableText:
    """Parse a statement; keys and checks without a name get the name that PostgreSQL would choose."""
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
            constraints.append(_table_constraint(item, names, table))
    return TableText(tuple(columns), tuple(constraints), "".join(pieces[close + 1 :]).strip().rstrip(";").strip())


def unquoted(name: str) -> str:
    """Return an identifier without its quotes."""
    mark = _QUOTES.get(name[:1])
    return name[1:-1].replace(mark * 2, mark) if mark else name


def mentioned(text: str, names: Collection[str], *, quote: str = "") -> tuple[str, ...]:
    """Return the names that a text contains as whole words, or in `quote` if it quotes all of them; case is ignored."""
    folded = text.casefold()
    if quote:
        return tuple(name for name in names if quote + name.casefold().replace(quote, quote * 2) + quote in folded)
    spellings = {name: {name.casefold(), *(name.casefold().replace(mark, mark * 2) for mark in '"`')} for name in names}
    return tuple(name for name in names if any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", folded) for word in spellings[name]))


def names_in(expression: str) -> str:
    """Return an expression without its text literals and the names of the functions it calls."""
    pieces = [piece for piece in _PIECES.findall(expression) if not piece.isspace()]
    kept = [
        piece
        for before, piece, after in zip(["", *pieces], pieces, [*pieces[1:], ""], strict=False)
        if not (piece[0] == "'" and before != ".") and not (after == "(" and piece[0] not in _QUOTES)
    ]
    return " ".join(kept)


def _split(pieces: list[str]) -> Iterator[list[str]]:
    """Return the items between commas outside parentheses, without surrounding space."""
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
    """Return a column; its type ends before the first word that begins a clause."""
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
    """Return whether a word that could begin a clause continues the one before it."""
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
    """Return the keys and checks inside a column's definition, with their CONSTRAINT name if they have one."""
    for clause in column.clauses:
        name, words = "", _words(clause)
        if words[0] == "CONSTRAINT":
            name, words = unquoted([piece for piece in _PIECES.findall(clause) if not piece.isspace()][1]), words[2:]
        kind = {"PRIMARY": "unique", "UNIQUE": "unique", "CHECK": "check", "REFERENCES": "outgoing_key"}.get(words[0])
        if kind:
            columns = (column.name,) if kind != "check" else tuple(dict.fromkeys((column.name, *mentioned(clause, names))))
            yield Constraint(kind, name or _named(table, kind, columns, primary=words[0] == "PRIMARY"), columns, clause, column.name)


def _table_constraint(item: list[str], names: list[str], table: str) -> Constraint:
    """Return a key or check that is not inside a column's definition."""
    pieces = [piece for piece in item if not piece.isspace()]
    name = ""
    if pieces[0].upper() == "CONSTRAINT":
        name, pieces = unquoted(pieces[1]), pieces[2:]
    first = pieces[0].upper()
    kind = _TABLE_CLAUSES.get(first, "check")
    opening = pieces.index("(") if "(" in pieces else len(pieces)
    named = [piece for piece in pieces[1:opening] if piece[0] in _QUOTES]
    if not name and named:
        name = unquoted(named[-1])
    inner = pieces[opening:]
    columns = _key_columns(inner, names) if kind in ("unique", "index", "outgoing_key") else mentioned("".join(item), names)
    name = name or ("PRIMARY" if first == "PRIMARY" and "`" in "".join(item) else "")
    return Constraint(kind, name or _named(table, kind, columns, primary=first == "PRIMARY"), columns, "".join(item))


def _key_columns(inner: list[str], names: list[str]) -> tuple[str, ...]:
    """Return the columns in the first parentheses."""
    until = inner.index(")") if ")" in inner else len(inner)
    folded = {name.casefold(): name for name in names}
    return tuple(folded[key] for piece in inner[:until] if (key := unquoted(piece).casefold()) in folded)


def _named(table: str, kind: str, columns: tuple[str, ...], *, primary: bool) -> str:
    return f"{table}_pkey" if primary else "_".join((table, *columns, _SUFFIXES.get(kind, kind)))
