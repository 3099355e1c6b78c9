"""Dependencies found in random tables, compared with the definition row by row."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from support.databases import Database

import kanon_sql as ks

WIDTHS = (1, 2)  # of the levels below the published one
QUASI = {"role": "quasi_identifier", "hierarchy": {"intervals": [2, 4]}, "min_level": 2, "max_level": 2}


def share_of(pairs: list[tuple[Any, Any]]) -> float | None:
    """Return the share of rows in which the first value determines the second by definition, or None."""
    groups: dict[Any, Counter[Any]] = defaultdict(Counter)
    for known, kept in pairs:
        groups[known][kept] += 1
    shared = [group for group in groups.values() if group.total() > 1]
    guess = max(Counter(kept for _, kept in pairs).values()) / len(pairs)
    if not shared or guess == 1:
        return None
    agreeing = sum(max(group.values()) for group in shared)
    share = agreeing / sum(group.total() for group in shared)
    proven = guess ** (agreeing - len(shared)) <= 1e-6 * (1 + 1e-9)
    return share if share >= 0.95 and (share - guess) / (1 - guess) >= 0.9 and proven else None


def dependency(rows: list[tuple[Any, Any]]) -> float | None:
    """Return the largest share at any level, in either direction; a nearly unique kept column proves nothing."""
    if len({kept for _, kept in rows}) >= 0.95 * len(rows):
        return None
    shares = []
    for width in WIDTHS:
        labelled = [(None if value is None else value // width, kept) for value, kept in rows]
        shares += [share_of(labelled), share_of([(kept, label) for label, kept in labelled])]
    return max((share for share in shares if share is not None), default=None)


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[Any, Any, Any]]:
    """Draw rows of a quasi-identifier, a function of it with a few exceptions, and an independent column."""
    domain = [*range(8), None]
    image = {value: draw(st.sampled_from("abcdefgh")) for value in domain}
    values = draw(st.lists(st.sampled_from(domain), min_size=4, max_size=70))
    exceptions = draw(st.sets(st.integers(0, 69), max_size=draw(st.sampled_from([0, 1, 4]))))
    own = draw(st.lists(st.sampled_from(["x", "y", None]), min_size=len(values), max_size=len(values)))
    return [(value, "z" if place in exceptions else image[value], own[place]) for place, value in enumerate(values)]


@settings(max_examples=25)
@given(rows=tables())
@example(rows=[(n % 8, "ab"[n % 8 // 4], None) for n in range(64)])  # what the published label says anyway
@example(rows=[(n % 8, "abcd"[n % 8 // 2], "x") for n in range(64)])
@example(rows=[(n % 8 // 4 * 4, f"{n % 16}", "x") for n in range(64)])  # a finer column determines a coarser one
@example(rows=[(1, "a", "x")] * 4)
def test_dependencies_match_the_definition(backend: Database, rows: list[tuple[Any, Any, Any]]) -> None:
    assume(any(row[0] is not None for row in rows))
    backend.create("t", {"q": "integer", "image": "text", "own": "text"}, rows)
    accept = {"role": "insensitive", "accept_unique": True}
    try:
        report = ks.anonymize(
            backend.url,
            {
                "table": "t", "publish": {"into": "t_anon"}, "privacy": {"k": 2}, "suppression": 1.0,
                "columns": {"q": QUASI, "image": accept, "own": accept},
            },
            dry_run=True,
        )  # fmt: skip
        found = {d.column: d.share for d in report.dependencies}
        wanted = {name: dependency([(row[0], row[place]) for row in rows]) for place, name in ((1, "image"), (2, "own"))}
        assert found == {name: pytest.approx(share) for name, share in wanted.items() if share is not None}
    finally:
        backend.drop("t")
