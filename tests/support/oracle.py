"""A row-by-row reference for full-domain k-anonymity: no SQL, no database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial
from math import floor
from typing import Any

Row = tuple[Any, ...]
Node = tuple[int, ...]
Files = Mapping[str, Sequence[Sequence[str]]]
Step = Callable[[Any], str]

ROOT = "*"
NAN = "NaN"  # represents every NaN, which does not equal itself
CATEGORIES = ("text", "boolean")


class Unsolvable(Exception):
    """Every quasi-identifier is at its root and too many rows still fail."""


@dataclass(frozen=True)
class Outcome:
    """The release of Datafly and the nodes it visited."""

    levels: dict[str, int]  # in policy order
    path: list[Node]  # first to last
    columns: list[str]  # in the source's order
    rows: list[Row]  # a multiset
    suppressed: int
    class_sizes: list[int]  # of the release, sorted
    dm: int
    c_avg: float  # 0.0 when there is no class
    geniloss: float


@dataclass(frozen=True)
class Verdict:
    """One node: its classes before, and its metrics after, suppression."""

    classes: int
    smallest_class: int  # 0 when there is no row
    failing_rows: int
    passes: bool
    published_classes: int
    dm: int
    c_avg: float
    geniloss: float


@dataclass(frozen=True)
class Ladder:
    """The labels of one quasi-identifier's values, from level 0 to the root."""

    type: str
    height: int
    paths: dict[Any, Row]  # value -> its labels by level
    leaves: list[Any]  # the domain; values a list leaves out are not in it

    def loss(self, value: Any, level: int) -> Fraction:
        """The share of the domain that the value's label at a level covers."""
        if len(self.leaves) < 2 or level == 0:
            return Fraction(0)
        if level == self.height or value not in self.leaves:
            return Fraction(1)
        label = self.paths[value][level]
        covered = [leaf for leaf in self.leaves if self.paths[leaf][level] == label]
        if len(covered) == 1:
            return Fraction(0)
        if self.type in CATEGORIES:
            return Fraction(len(covered) - 1, len(self.leaves) - 1)
        return extent(covered) / extent(self.leaves)


@dataclass(frozen=True)
class Case:
    """A source with its parsed policy."""

    names: list[str]
    rows: Sequence[Row]
    published: list[str]
    ladders: dict[str, Ladder]  # in policy order
    k: int
    limit: int
    fails: Callable[[Sequence[Row]], bool]
    holds_as_whole: Callable[[int, int], bool]  # classes and rows that are published
    person_of: Callable[[Row], Any] | None = None  # where who loses a row loses all of them

    def kept(self, classes: Mapping[Row, list[Row]]) -> list[list[Row]]:
        """Return the classes that are published."""
        left = list(classes.values())
        while self.person_of is not None:
            gone = {self.person_of(row) for rows in left if self.fails(rows) for row in rows} - {None}
            if not gone:
                break
            left = [kept for rows in left if (kept := [row for row in rows if self.person_of(row) not in gone])]
        return [rows for rows in left if not self.fails(rows)]

    def accepts(self, classes: Mapping[Row, list[Row]]) -> bool:
        """Return whether the failing classes may be suppressed and the rest satisfies the policy."""
        failing = failing_rows(self, classes)
        return failing <= self.limit and self.holds_as_whole(len(self.kept(classes)), len(self.rows) - failing)


def anonymize(
    columns: Mapping[str, str],
    rows: Sequence[Row],
    policy: Mapping[str, Any],
    *,
    files: Files,
) -> Outcome:
    """Return the release that Datafly makes of a source."""
    case = read_case(columns, rows, policy, files)
    path = datafly(case)
    node = path[-1]
    kept = case.kept(classes_at(case, node))
    judged = judge(case, node)
    return Outcome(
        levels=dict(zip(case.ladders, node, strict=True)),
        path=path,
        columns=case.published,
        rows=[publish(case, node, row) for found in kept for row in found],
        suppressed=judged.failing_rows,
        class_sizes=sorted(len(found) for found in kept),
        dm=judged.dm,
        c_avg=judged.c_avg,
        geniloss=judged.geniloss,
    )


def verdict(
    columns: Mapping[str, str],
    rows: Sequence[Row],
    policy: Mapping[str, Any],
    node: Node,
    *,
    files: Files,
) -> Verdict:
    """Return the verdict on one node of a source's lattice."""
    return judge(read_case(columns, rows, policy, files), node)


def datafly(case: Case) -> list[Node]:
    """Return the nodes visited until no more rows fail than may be suppressed."""
    path: list[Node] = [(0,) * len(case.ladders)]
    while True:
        classes = classes_at(case, path[-1])
        if case.accepts(classes):
            return path
        path.append(generalize_widest(case, path[-1], classes))


def generalize_widest(case: Case, node: Node, classes: Mapping[Row, list[Row]]) -> Node:
    """Return the node with the column of most distinct labels one level higher."""
    heights = [ladder.height for ladder in case.ladders.values()]
    open_columns = [i for i, level in enumerate(node) if level < heights[i]]
    if not open_columns:
        raise Unsolvable(f"all at the root: {failing_rows(case, classes)} rows fail")
    # max() keeps the first of equals, which is policy order.
    widest = max(open_columns, key=lambda i: len({labels[i] for labels in classes}))
    return tuple(level + (i == widest) for i, level in enumerate(node))


def judge(case: Case, node: Node) -> Verdict:
    """Return counts and metrics of a node after its failing classes are suppressed."""
    classes = classes_at(case, node)
    sizes = [len(rows) for rows in classes.values()]
    kept = case.kept(classes)
    failing = failing_rows(case, classes)
    total = len(case.rows)
    return Verdict(
        classes=len(sizes),
        smallest_class=min(sizes, default=0),
        failing_rows=failing,
        passes=case.accepts(classes),
        published_classes=len(kept),
        dm=sum(len(rows) ** 2 for rows in kept) + total * failing,
        c_avg=total / (len(kept) * case.k) if kept else 0.0,
        geniloss=float(mean_loss(case, node, [row for rows in kept for row in rows])),
    )


def mean_loss(case: Case, node: Node, kept: Sequence[Row]) -> Fraction:
    """Return the mean loss per cell; a suppressed row loses every cell."""
    cells = len(case.rows) * len(case.ladders)
    if not cells:
        return Fraction(0)
    lost = Fraction((len(case.rows) - len(kept)) * len(case.ladders))
    for (name, ladder), level in zip(case.ladders.items(), node, strict=True):
        counts = Counter(key_of(row[case.names.index(name)]) for row in kept)
        lost += sum(n * ladder.loss(value, level) for value, n in counts.items())
    return lost / cells


def classes_at(case: Case, node: Node) -> dict[Row, list[Row]]:
    """Return all rows of the source by their labels at a node."""
    classes: dict[Row, list[Row]] = {}
    for row in case.rows:
        labels = tuple(
            ladder.paths[key_of(row[case.names.index(name)])][level]
            for (name, ladder), level in zip(case.ladders.items(), node, strict=True)
        )
        classes.setdefault(labels, []).append(row)
    return classes


def failing_rows(case: Case, classes: Mapping[Row, list[Row]]) -> int:
    """Return the rows in classes that violate a model."""
    return sum(map(len, classes.values())) - sum(map(len, case.kept(classes)))


def publish(case: Case, node: Node, row: Row) -> Row:
    """Return a row as it is released at a node."""
    levels = dict(zip(case.ladders, node, strict=True))
    source = dict(zip(case.names, row, strict=True))
    return tuple(
        case.ladders[name].paths[key_of(source[name])][levels[name]] if levels.get(name) else source[name] for name in case.published
    )


def read_case(
    columns: Mapping[str, str],
    rows: Sequence[Row],
    policy: Mapping[str, Any],
    files: Files,
) -> Case:
    """Read the source and its policy, with the labels of each quasi-identifier."""
    names = list(columns)
    roles = {name: role_of(entry) for name, entry in policy["columns"].items()}
    others = policy.get("others", "error")
    if not roles.keys() <= columns.keys():
        raise ValueError("the policy names a column the source does not have")
    if others == "error" and roles.keys() != columns.keys():
        raise ValueError("the source has a column the policy does not name")
    roles_of_all = {name: roles.get(name, "insensitive" if others == "keep" else "identifier") for name in names}
    ladders = {
        name: build_ladder(
            columns[name],
            [row[names.index(name)] for row in rows],
            policy["columns"][name]["hierarchy"],
            files,
        )
        for name, role in roles.items()
        if role == "quasi_identifier"
    }
    from support.models_oracle import read_rules

    rules = read_rules(columns, rows, policy, files)
    suppression = policy.get("suppression", 0)
    limit, unit = (suppression.get("limit", 0), suppression.get("unit")) if isinstance(suppression, dict) else (suppression, "row")
    return Case(
        names=names,
        rows=rows,
        published=[n for n in names if roles_of_all[n] != "identifier"],
        ladders=ladders,
        k=rules.k,
        limit=allowed_rows(limit, len(rows)),
        fails=rules.fails,
        holds_as_whole=rules.holds_as_whole,
        person_of=rules.person_of if unit == "entity" else None,
    )


def role_of(entry: Any) -> str:
    """Return the role of a column, in short or full form."""
    role: str = entry if isinstance(entry, str) else entry["role"]
    return role


def allowed_rows(suppression: int | float, total: int) -> int:
    """Return the rows that may be suppressed: an integer, or a share of all rows."""
    if isinstance(suppression, int):
        return suppression
    return floor(exact(suppression) * total)


def build_ladder(type_: str, values: Sequence[Any], hierarchy: Any, files: Files) -> Ladder:
    """Return the labels of a column from the hierarchy of its policy."""
    present = list(dict.fromkeys(key_of(value) for value in values))
    if isinstance(hierarchy, dict) and "csv" in hierarchy:
        unlisted = hierarchy.get("unlisted") == "root"
        return listed_ladder(type_, present, files[hierarchy["csv"]], unlisted)
    if isinstance(hierarchy, dict) and "table" in hierarchy:
        unlisted = hierarchy.get("unlisted") == "root"
        return listed_ladder(type_, present, files[hierarchy["table"]], unlisted)
    if isinstance(hierarchy, dict) and "tree" in hierarchy:
        unlisted = hierarchy.get("unlisted") == "root"
        return listed_ladder(type_, present, unfold(hierarchy["tree"]), unlisted)
    return ruled_ladder(type_, present, steps_of(type_, hierarchy))


def ruled_ladder(type_: str, present: list[Any], steps: list[Step]) -> Ladder:
    """Return the labels of a rule, whose leaves are the values present."""
    height = len(steps) + 1
    paths: dict[Any, Row] = {
        value: (None,) * height + (ROOT,) if value is None else (value, *(step(value) for step in steps), ROOT) for value in present
    }
    return Ladder(type_, height, paths, list(paths))


def listed_ladder(type_: str, present: list[Any], table: Sequence[Sequence[str]], unlisted: bool) -> Ladder:
    """Return the labels of a list, whose leaves are those listed, and NULL if present."""
    paths = read_paths(type_, table)
    leaves = list(paths) + [None] * (None in present)
    extra = [value for value in present if value is not None and value not in paths]
    if extra and not unlisted:
        raise ValueError(f"{len(extra)} values are not listed")
    lone = len(table[0]) == 1 and len(paths) == 1 and None not in present and not extra
    if not lone and (len(table[0]) == 1 or len(top_labels(paths)) > 1):
        paths = {value: (*path, ROOT) for value, path in paths.items()}
    (root,) = top_labels(paths)
    height = len(next(iter(paths.values()))) - 1
    paths |= {value: (value,) + (root,) * height for value in extra}
    if None in present:
        paths[None] = (None,) * height + (root,)
    return Ladder(type_, height, paths, leaves)


def unfold(tree: Any) -> list[list[str]]:
    """Return the lines of a nested mapping; a short branch repeats its topmost label."""

    def below(node: Any) -> list[list[str]]:
        if isinstance(node, dict):
            return [[*line, str(key)] for key, sub in node.items() for line in below(sub)]
        if isinstance(node, list):
            return [line for item in node for line in below(item)]
        return [[str(node)]]

    lines = below(tree)
    width = max(len(line) for line in lines)
    return [line + [line[-1]] * (width - len(line)) for line in lines]


def read_paths(type_: str, table: Sequence[Sequence[str]]) -> dict[Any, Row]:
    """Return the listed leaves, in the column's type, with their labels."""
    paths: dict[Any, Row] = {}
    parents: dict[tuple[int, Any], Any] = {}
    for line in table:
        leaf = key_of(parse(type_, line[0]))
        path = paths.setdefault(leaf, (leaf, *line[1:]))
        if path != (leaf, *line[1:]) or len(line) != len(table[0]):
            raise ValueError("a leaf has two paths, or paths differ in length")
        for level in range(1, len(line) - 1):
            parent = line[level + 1]
            if parents.setdefault((level, line[level]), parent) != parent:
                raise ValueError(f"a label of level {level} has two parents")
    return paths


def top_labels(paths: Mapping[Any, Row]) -> set[Any]:
    """Return the distinct labels of the highest level."""
    return {path[-1] for path in paths.values()}


def parse(type_: str, text: str) -> Any:
    """Return a listed leaf in the column's type."""
    readers: dict[str, Callable[[str], Any]] = {
        "integer": int,
        "double": float,
        "decimal": Decimal,
        "boolean": lambda t: {"true": True, "false": False}[t.lower()],
        "date": date.fromisoformat,
        "timestamp": datetime.fromisoformat,
        "text": str,
    }
    return readers[type_](text)


def steps_of(type_: str, hierarchy: Any) -> list[Step]:
    """Return the rule's levels between the value and the root, as functions of the value."""
    if hierarchy == "suppress":
        return []
    if "top_bottom" in hierarchy:
        codes = hierarchy["top_bottom"]
        rest = {key: hierarchy[key] for key in ("intervals", "origin") if key in hierarchy}
        shown: list[Step] = [partial(plain, type_), *(steps_of(type_, rest) if "intervals" in rest else [])]
        return [partial(coded, type_, codes.get("low"), codes.get("high"), step) for step in shown]
    if "edges" in hierarchy:
        return [partial(between, type_, [exact(edge) for edge in level]) for level in hierarchy["edges"]]
    if "round" in hierarchy:
        sizes = [exact(step) for step in hierarchy["round"]]
        return [partial(rounded, type_, sizes[: index + 1]) for index in range(len(sizes))]
    if "intervals" in hierarchy:
        origin = exact(hierarchy.get("origin", 0))
        widths = [exact(width) for width in hierarchy["intervals"]]
        return [partial(interval, type_, origin, width) for width in widths]
    if "mask" in hierarchy:
        char = hierarchy["mask"].get("char", "*")
        return [partial(mask, char, hide) for hide in hierarchy["mask"]["hide"]]
    return [partial(period, unit) for unit in hierarchy["dates"]]


def interval(type_: str, origin: Fraction, width: Fraction, value: Any) -> str:
    """Return the label [lo,hi) of the interval that contains a number."""

    def bound(n: int) -> Fraction:
        return in_type(type_, origin + n * width)

    number = Fraction(value)
    n = floor((number - origin) / width)
    # A double is compared with the bounds as doubles: 0.3 is in [0.3,0.4).
    while bound(n + 1) <= number:
        n += 1
    while bound(n) > number:
        n -= 1
    return f"[{shortest(type_, bound(n))},{shortest(type_, bound(n + 1))})"


def plain(type_: str, value: Any) -> str:
    """Return a number unchanged, written as a label."""
    return shortest(type_, Fraction(value))


def coded(type_: str, low: Any, high: Any, step: Step, value: Any) -> str:
    """Return the bottom or top code of a number outside the shown range, or its label."""
    number = Fraction(value)
    if low is not None and number < in_type(type_, exact(low)):
        return "<" + shortest(type_, exact(low))
    if high is not None and number > in_type(type_, exact(high)):
        return ">" + shortest(type_, exact(high))
    return step(value)


def between(type_: str, edges: list[Fraction], value: Any) -> str:
    """Return the label of the two edges around a number."""
    reached = [edge for edge in edges if in_type(type_, edge) <= Fraction(value)]
    if not reached:
        return "<" + shortest(type_, edges[0])
    if len(reached) == len(edges):
        return ">=" + shortest(type_, edges[-1])
    return f"[{shortest(type_, reached[-1])},{shortest(type_, edges[len(reached)])})"


def rounded(type_: str, steps: list[Fraction], value: Any) -> str:
    """Return a number rounded to the first step, the result to the second and so on, halves away from zero."""
    number = Fraction(value)
    sign, size = (-1 if number < 0 else 1), abs(number)
    for index, step in enumerate(steps):
        count = floor(size / step)
        # The number itself is compared in its type, what was rounded already is exact.
        half = (count + Fraction(1, 2)) * step
        size = (count + (size >= (half if index else in_type(type_, half)))) * step
    return shortest("decimal", sign * size)


def in_type(type_: str, number: Fraction) -> Fraction:
    """Return a number as its column's type can represent it."""
    return Fraction(float(number)) if type_ == "double" else number


def shortest(type_: str, number: Fraction) -> str:
    """Return a number as the shortest decimal that reads back as it, without exponent."""
    if type_ == "double":
        number = Fraction(repr(float(number)))
    with localcontext() as context:
        context.prec = 400
        text = format(Decimal(number.numerator) / Decimal(number.denominator), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def mask(char: str, hide: int, value: int | str) -> str:
    """Return a text or integer with its last characters hidden, with the same length."""
    text = str(value)
    shown = max(len(text) - hide, 0)
    return text[:shown] + char * (len(text) - shown)


def period(unit: str, day: date) -> str:
    """Return the label of the period that contains a date or timestamp."""
    iso, decade, century = day.isocalendar(), day.year // 10 * 10, day.year // 100 * 100
    labels = {
        "week": f"{iso.year:04}-W{iso.week:02}",
        "month": f"{day.year:04}-{day.month:02}",
        "quarter": f"{day.year:04}-Q{(day.month + 2) // 3}",
        "year": f"{day.year:04}",
        "decade": f"{decade:04}s",
        "century": f"{century:04}-{century + 99:04}",
    }
    return labels[unit]


def extent(leaves: Sequence[Any]) -> Fraction:
    """Return the distance from the smallest to the largest of the leaves, without NULL."""
    places = [place_of(leaf) for leaf in leaves if leaf is not None and leaf != NAN]
    return max(places) - min(places)


def place_of(value: Any) -> Fraction:
    """Return a number unchanged, a date in days, a timestamp in seconds."""
    if isinstance(value, datetime):
        since = value - datetime(1, 1, 1)
        seconds = since.days * 86400 + since.seconds
        return seconds + Fraction(since.microseconds, 10**6)
    if isinstance(value, date):
        return Fraction(value.toordinal())
    return Fraction(value)


def key_of(value: Any) -> Any:
    """Return the value, or one substitute for all NaN."""
    return NAN if isinstance(value, float | Decimal) and value != value else value


def exact(number: int | float) -> Fraction:
    """Return a number as the decimal it was written as."""
    return Fraction(str(number))
