"""A plain recursive reference for Mondrian: row by row, no SQL, no database."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from support.models_oracle import Rules, read_rules
from support.oracle import CATEGORIES, NAN, Files, Ladder, Row, build_ladder, key_of, place_of, role_of, shortest

Codes = tuple[int, ...]

# The ways the product cuts, all of which must cut alike: from so many combinations on, a region's widest dimensions are tried first,
# and from so many regions on without those that cannot be cut.
MANY = ((1, 1), (1, 100), (500_000, 100))


@dataclass(frozen=True)
class Axis:
    """A column's values in the order they are cut; code 0 is NULL."""

    ladder: Ladder
    values: list[Any]  # of codes 1, 2 …
    extent: float
    weight: float
    output: str

    @property
    def is_category(self) -> bool:
        return self.ladder.type in CATEGORIES

    def code(self, value: Any) -> int:
        return 0 if value is None else self.values.index(key_of(value)) + 1

    def position(self, code: int) -> float:
        return float(code) if self.is_category else as_position(self.values[code - 1])


@dataclass(frozen=True)
class Region:
    """Rows by their codes, and the bounds inherited from cuts: the last code below, the last code inside."""

    rows: list[Codes]
    bounds: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Outcome:
    """The regions, in no order, the cuts per column, and the published rows."""

    regions: list[Region]
    cuts: list[int]
    cells: list[Row]
    geniloss: float
    members: list[list[int]]  # per region, the numbers of its rows


def as_position(value: Any) -> float:
    """Return the position of a value, in double precision as the engines compute it."""
    if isinstance(value, datetime):
        return (value - datetime(1970, 1, 1)).total_seconds()
    if isinstance(value, date):
        return float((value - date(1970, 1, 1)).days)
    return float(value)


def axis_of(type_: str, values: Sequence[Any], rule: Mapping[str, Any], weight: float, files: Files) -> Axis:
    """Return the axis of one quasi-identifier."""
    hierarchy = rule.get("hierarchy", "suppress")
    ladder = build_ladder(type_, values, hierarchy, files)
    known = [value for value in ladder.paths if value is not None]
    output = rule.get("output", "labels")
    if type_ not in CATEGORIES:
        ordered = sorted(known)
        inside = [as_position(leaf) for leaf in ladder.leaves if leaf is not None]
    else:
        if "hierarchy" not in rule and output == "labels":
            output = "set"
        listed = [value for value in known if value in ladder.leaves and is_listed(hierarchy)]
        given = listed + sorted((value for value in known if value not in listed), key=by_bytes)
        ordered = sorted(given, key=lambda value: tree_place(ladder, given, value))
        inside = [float(ordered.index(leaf)) for leaf in ladder.leaves if leaf is not None]
    return Axis(ladder, ordered, max(inside, default=0.0) - min(inside, default=0.0), weight, output)


def is_listed(hierarchy: Any) -> bool:
    return isinstance(hierarchy, dict) and bool({"csv", "tree", "table"} & hierarchy.keys())


def by_bytes(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


def tree_place(ladder: Ladder, given: list[Any], value: Any) -> tuple[int, ...]:
    """Return the position of a leaf in depth-first order: at each level the first leaf with its label."""
    path = ladder.paths[value]
    firsts = [
        next(place for place, other in enumerate(given) if ladder.paths[other][level] == path[level]) for level in range(1, ladder.height)
    ]
    return (*reversed(firsts), given.index(value))


def partition(columns: Mapping[str, str], rows: Sequence[Row], policy: Mapping[str, Any], files: Files) -> Outcome:
    """Return the result of Mondrian: quasi-identifiers in policy order, sensitive columns only if models use them."""
    names = [name for name, rule in policy["columns"].items() if role_of(rule) == "quasi_identifier"]
    rules, privacy = policy.get("mondrian", {}), read_rules(columns, rows, policy, files)
    weights = [float(policy["columns"][name].get("weight", 1)) for name in names]
    mean = sum(weights) / len(weights)
    axes = [
        axis_of(columns[name], [row[list(columns).index(name)] for row in rows], policy["columns"][name], weights[place] / mean, files)
        for place, name in enumerate(names)
    ]
    places = [list(columns).index(name) for name in names]
    others = sensitive_codes(rows, privacy)
    # The last number tells rows apart; those before it are codes, by which halves are ordered.
    coded = [
        (*(axis.code(row[place]) for axis, place in zip(axes, places, strict=True)), *others[number], number)
        for number, row in enumerate(rows)
    ]

    def allowed(region: Region) -> bool:
        members = [rows[codes[-1]] for codes in region.rows]
        risk = privacy.average_risk
        return not privacy.fails(members) and (risk is None or len(members) * risk >= 1)

    whole = Region(coded, tuple((0, len(axis.values)) for axis in axes))
    cuts = [0] * len(axes)
    cut = halve if rules.get("mode") == "relaxed" else cut_strictly
    regions = split(whole, axes, allowed, rules, cut, cuts)
    cells, loss = [], 0.0
    for region in regions:
        shown = tuple(cell(axis, place, region, rules) for place, axis in enumerate(axes))
        cells += [shown] * len(region.rows)
        loss += len(region.rows) * sum((axis.weight * cell_loss(axis, place, region, rules) for place, axis in enumerate(axes)), 0.0)
    members = [[codes[-1] for codes in region.rows] for region in regions]
    return Outcome(regions, cuts, cells, loss / (len(rows) * len(axes)), members)


def sensitive_codes(rows: Sequence[Row], privacy: Rules) -> list[Codes]:
    """Return for each row the codes that models use, each once, and the code of its person."""
    looks = list({str(rule.look.group) + str(rule.entry["column"]): rule.look for rule in privacy.rules}.values())
    persons = sorted({privacy.person_of(row) for row in rows} - {None}) if privacy.person_of else []

    def person(row: Row) -> Codes:
        if privacy.person_of is None:
            return ()
        found = privacy.person_of(row)
        return (0 if found is None else persons.index(found) + 1,)

    return [(*(look.group[look.value_of(row)] for look in looks), *person(row)) for row in rows]


def split(
    region: Region, axes: list[Axis], allowed: Callable[[Region], bool], rules: Mapping[str, Any], cut: Any, cuts: list[int]
) -> list[Region]:
    """Return the regions into which a region is cut."""
    order = sorted(range(len(axes)), key=lambda place: (-width(region, axes[place], place, rules), tie(place, rules)))
    for place in order:
        sides = cut(region, place)
        if sides and all(allowed(side) for side in sides):
            cuts[place] += 1
            return [part for side in sides for part in split(side, axes, allowed, rules, cut, cuts)]
    return [region]


def tie(place: int, rules: Mapping[str, Any]) -> int:
    return -place if rules.get("tie") == "last" else place


def width(region: Region, axis: Axis, place: int, rules: Mapping[str, Any]) -> float:
    if axis.extent <= 0:
        return 0.0
    if rules.get("width") == "region":
        below, last = region.bounds[place]
        first = below or 1
    else:
        present = [row[place] for row in region.rows if row[place]]
        if not present:
            return 0.0
        first, last = min(present), max(present)
    if last < first:
        return 0.0
    return (axis.position(last) - axis.position(first)) / axis.extent * axis.weight


def cut_strictly(region: Region, place: int) -> list[Region] | None:
    codes = sorted({row[place] for row in region.rows})
    count = 0
    for code in codes:
        count += sum(row[place] == code for row in region.rows)
        if 2 * count >= len(region.rows):
            break
    left = [row for row in region.rows if row[place] <= code]
    right = [row for row in region.rows if row[place] > code]
    if not right:
        return None
    below, last = region.bounds[place]

    def bounded(bounds: tuple[int, int]) -> tuple[tuple[int, int], ...]:
        return (*region.bounds[:place], bounds, *region.bounds[place + 1 :])

    return [Region(left, bounded((below, code))), Region(right, bounded((code, last)))]


def halve(region: Region, place: int) -> list[Region] | None:
    if len({row[place] for row in region.rows}) < 2:
        return None
    ordered = sorted(region.rows, key=lambda row: (row[place], row))
    half = (len(ordered) + 1) // 2
    return [Region(ordered[:half], region.bounds), Region(ordered[half:], region.bounds)]


def covered(axis: Axis, place: int, region: Region, rules: Mapping[str, Any]) -> tuple[bool, int, int, int] | None:
    """Return whether NULL is mixed with values, the last code below, the first and the last code; None for NULL alone."""
    present = [row[place] for row in region.rows]
    values = [code for code in present if code]
    if not values:
        return None
    mixed = len(values) < len(present)
    if rules.get("bounds") == "cuts":
        below, last = region.bounds[place]
        return mixed, below, below + 1, last
    return mixed, min(values), min(values), max(values)


def cell(axis: Axis, place: int, region: Region, rules: Mapping[str, Any]) -> Any:
    """Return the published value of a column in a region; a pair for bounds."""
    found = covered(axis, place, region, rules)
    nothing = (None, None) if axis.output == "bounds" else None
    if found is None:
        return nothing
    mixed, below, first, last = found
    if axis.output in ("midpoint", "mean", "bounds") and mixed:
        return nothing
    root = axis.ladder.paths[axis.values[0]][-1]
    if axis.output == "set":
        members = set_members(place, region, rules, first, last)
        texts = [spelled(axis, code) for code in members]
        return root if mixed else texts[0] if len(texts) == 1 else "{" + ",".join(texts) + "}"
    cut = rules.get("bounds") == "cuts" and below > 0 and first < last
    low = below if cut else first
    if axis.output == "bounds":
        return axis.values[low - 1], axis.values[last - 1]
    if axis.output == "midpoint":
        return (axis.position(low) + axis.position(last)) / 2
    if axis.output == "mean":
        return sum(axis.position(row[place]) for row in region.rows) / len(region.rows)
    if mixed:
        return root
    if first == last:
        return spelled(axis, last)
    if not axis.is_category:
        return f"{'(' if cut else '['}{spelled(axis, low)},{spelled(axis, last)}]"
    return ancestor(axis, first, last)[1]


def set_members(place: int, region: Region, rules: Mapping[str, Any], first: int, last: int) -> list[int]:
    """Return the values present, or with cuts all leaves between them."""
    return list(range(first, last + 1)) if rules.get("bounds") == "cuts" else sorted({row[place] for row in region.rows if row[place]})


def ancestor(axis: Axis, first: int, last: int) -> tuple[int, Any]:
    """Return the lowest level at which two leaves have the same label, and that label."""
    paths = axis.ladder.paths[axis.values[first - 1]], axis.ladder.paths[axis.values[last - 1]]
    level = next(level for level in range(1, axis.ladder.height + 1) if paths[0][level] == paths[1][level])
    return level, paths[0][level]


def spelled(axis: Axis, code: int) -> str:
    """Return a value as text."""
    value = axis.values[code - 1]
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, str | date):
        return str(value)
    return NAN if value == NAN else shortest("double" if isinstance(value, float) else "decimal", Fraction(value))


def cell_loss(axis: Axis, place: int, region: Region, rules: Mapping[str, Any]) -> Fraction:
    """Return the share of the domain that a cell covers."""
    found, leaves = covered(axis, place, region, rules), axis.ladder.leaves
    if found is None or len(leaves) < 2:
        return Fraction(0)
    mixed, _, first, last = found
    if mixed:
        return Fraction(1)
    if axis.output == "set":
        members = set_members(place, region, rules, first, last)
        return min(Fraction(1), Fraction(len(members) - 1, len(leaves) - 1))
    if first == last:
        return Fraction(0)
    if axis.is_category:
        level, _ = ancestor(axis, first, last)
        return axis.ladder.loss(axis.values[last - 1], level)
    whole = [place_of(leaf) for leaf in leaves if leaf is not None]
    domain = max(whole) - min(whole)
    if not domain:
        return Fraction(0)
    return min(Fraction(1), (place_of(axis.values[last - 1]) - place_of(axis.values[first - 1])) / domain)
