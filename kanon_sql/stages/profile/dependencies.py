"""Find kept columns that are functions of quasi-identifiers, or determine them, in a sample of the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kanon_sql.artifacts import CodedColumn, Dependency, FrequencyTable, PairCounts, Profile, StagedTable
from kanon_sql.hierarchy import GROUPABLE
from kanon_sql.lattice import Node
from kanon_sql.sql.dialects import DIALECTS
from kanon_sql.tables import Column, RowSource, TableName
from kanon_sql.workspace import Workspace

SAMPLE_ROWS = 20_000  # spread evenly, because the first rows of a sorted table may all have one value
MOST_PAIRS = 1_000  # of a kept column and a level of a quasi-identifier, per run
PER_STATEMENT = 20


@dataclass(frozen=True)
class Dependent:
    """The dependencies that were found, and the number of column pairs that were not compared because there were too many."""

    found: tuple[Dependency, ...] = ()
    not_compared: int = 0


@dataclass(frozen=True)
class SampledPair:
    """Two columns of a sample, by their names in the sample."""

    known: str
    kept: str


@dataclass(frozen=True)
class _Candidate:
    """A kept column and a quasi-identifier at a level finer than the one it is published at."""

    rank: int  # levels in the order in which they are compared
    column: CodedColumn
    level: int
    kept: Column


def find_dependencies(
    workspace: Workspace, profile: Profile, frequencies: FrequencyTable, node: Node, accepted: frozenset[str]
) -> Dependent:
    """Return the kept columns, except accepted ones, that depend on a quasi-identifier that the solution generalizes.

    Values are compared with the labels of every level below the published one: a label has more rows than a value, so a year is
    found next to birth dates that are nearly unique.
    """
    kept = [column for column in profile.kept if column.kind in GROUPABLE and column.name not in accepted]
    candidates = sorted(_candidates(frequencies, node, kept), key=lambda candidate: candidate.rank)
    chosen = candidates[:MOST_PAIRS]
    compared = {(c.column.number, c.kept.name) for c in chosen}
    left_out = {(c.column.number, c.kept.name) for c in candidates} - compared
    if not chosen:
        return Dependent()
    levels: dict[int, list[int]] = {}
    for candidate in chosen:
        levels.setdefault(candidate.column.number, [])
        if candidate.level not in levels[candidate.column.number]:
            levels[candidate.column.number].append(candidate.level)
    columns = [(column, sorted(levels[column.number])) for column in frequencies.columns if column.number in levels]
    sampled = list(dict.fromkeys(candidate.kept for candidate in chosen))
    step = step_for(frequencies.rows)
    sample = workspace.tables.create(
        "dependencies", _sample_template(workspace, profile.source, step), source=profile.source, columns=columns, kept=sampled,
        entity=profile.entity, step=step, rows=SAMPLE_ROWS,
    )  # fmt: skip
    places = {column.name: place for place, column in enumerate(sampled, start=1)}
    pairs = [SampledPair(c.column.quasi_identifier.part(c.level), f"c_{places[c.kept.name]}") for c in chosen]
    counts = count_pairs(workspace, sample, pairs, persons=profile.entity is not None)
    workspace.tables.drop(sample)
    return Dependent(
        _strongest([(c.kept.name, c.column.column.name, c.level, found) for c, found in zip(chosen, counts, strict=True)]), len(left_out)
    )


def _sample_template(workspace: Workspace, source: RowSource, step: int) -> str:
    """Return the template that reads a sample; numbering all rows is slow, and some databases draw rows of a table without it."""
    if step == 1 or not isinstance(source, TableName) or not DIALECTS[workspace.backend.dialect].draws_samples:
        return "profile/dependencies/sample"
    is_table = workspace.look_up("profile/dependencies/has_row_numbers", source.parts)
    return "profile/dependencies/table_sample" if is_table else "profile/dependencies/sample"


def find_in_sample(workspace: Workspace, sample: TableName, pairs: Mapping[tuple[str, str], SampledPair]) -> tuple[Dependency, ...]:
    """Return the dependencies between kept columns and quasi-identifiers in a sample, by the names of the columns."""
    chosen = dict(list(pairs.items())[:MOST_PAIRS])
    counts = count_pairs(workspace, sample, list(chosen.values()))
    return _strongest([(kept, known, 0, found) for (kept, known), found in zip(chosen, counts, strict=True)])


def step_for(rows: int) -> int:
    """Return the number of source rows per row of the sample; small tables are read completely."""
    return max(1, -(-rows // SAMPLE_ROWS))


def count_pairs(workspace: Workspace, sample: TableName, pairs: Sequence[SampledPair], *, persons: bool = False) -> list[PairCounts]:
    """Return how often the columns of each pair determine each other in a sample."""
    found: list[PairCounts] = []
    for start in range(0, len(pairs), PER_STATEMENT):
        chunk = pairs[start : start + PER_STATEMENT]
        rows = workspace.fetch("profile/dependencies/pairs", sample=sample, pairs=chunk, person=persons)
        sides = {(number, side): tuple(map(int, figures)) for number, side, *figures in rows}
        nothing = (0,) * 6  # a sample without rows
        found += [PairCounts.of(sides.get((number, 0), nothing), sides.get((number, 1), nothing)) for number in range(len(chunk))]
    return found


def count_smallest_classes(workspace: Workspace, staged: StagedTable, names: Sequence[str]) -> dict[str, int]:
    """Return for each kept column the smallest class of a release if that column is counted as a quasi-identifier."""
    columns = {column.name: column for column in staged.columns}
    asked = [(number, columns[name]) for number, name in enumerate(names)]
    shape = {"table": staged.table, "quasi_identifiers": staged.quasi_identifiers, "person": staged.person}
    return {names[number]: smallest for number, smallest in workspace.fetch("profile/dependencies/smallest", columns=asked, **shape)}


def _candidates(frequencies: FrequencyTable, node: Node, kept: Sequence[Column]) -> list[_Candidate]:
    """Return the pairs to compare: the level below the published one first, then the values, then the levels in between."""
    found = []
    for column, published in zip(frequencies.columns, node, strict=True):
        order = list(dict.fromkeys([published - 1, 0, *range(1, published - 1)])) if published else []
        found += [_Candidate(rank, column, level, k) for rank, level in enumerate(order) for k in kept]
    return found


def _strongest(compared: Sequence[tuple[str, str, int, PairCounts]]) -> tuple[Dependency, ...]:
    """Return one dependency per kept column and quasi-identifier: the one that holds for the most rows."""
    best: dict[tuple[str, str], Dependency] = {}
    for kept, known, level, counts in compared:
        if counts.found is not None:
            direction, share = counts.found
            before = best.get((kept, known))
            if before is None or share > before.share:
                best[kept, known] = Dependency(kept, known, direction, share, level)
    return tuple(best.values())
