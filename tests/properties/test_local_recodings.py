"""Releases that no node describes, because each cell has its own level: every metric compared with the original rows."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from math import log2
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.comparisons import near
from support.databases import Database
from support.lattice_oracle import column_entropy, ncp, nllm
from support.oracle import Ladder, read_case

import kanon_sql as ks

COLUMNS = {"age": "integer", "born": "date", "pet": "text"}
HIERARCHIES: dict[str, Any] = {
    "age": {"intervals": [5, 10, 20]},
    "born": {"dates": ["month", "year"]},
    "pet": {"tree": {"animal": {"mammal": ["cat", "dog", "cow"], "ant": ["ant"]}, "plant": {"tree": ["oak"]}}},
}
POLICY = {
    "table": "hostile",
    "publish": {"into": "hostile_anon"},
    "privacy": {"k": 2},
    "columns": {name: {"role": "quasi_identifier", "hierarchy": rule} for name, rule in HIERARCHIES.items()},
}

source_rows = st.tuples(
    st.sampled_from([1, 2, 7, 11, 12, 30, None]),
    st.sampled_from([date(1970, 1, 1) + timedelta(days=20 * n) for n in range(30)] + [None]),
    st.sampled_from(["cat", "dog", "ant", "oak", None]),
)
# Numbers and dates at level 0 would be text here, which is parsed but is on no level.
levels = st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(0, 3))


@settings(max_examples=8)
@given(rows=st.lists(st.tuples(source_rows, levels, st.booleans()), min_size=1, max_size=15))
def test_each_cell_by_its_own_label(backend: Database, rows: list[tuple[tuple[Any, ...], tuple[int, ...], bool]]) -> None:
    source = [row for row, _, _ in rows]
    case = read_case(COLUMNS, source, POLICY, {})
    ladders = list(case.ladders.values())
    published = [(row, given_levels) for row, given_levels, is_kept in rows if is_kept]
    cells = [tuple(ladders[i].paths[row[i]][level] for i, level in enumerate(given_levels)) for row, given_levels in published]
    backend.create("hostile", COLUMNS, source)
    backend.create("hostile_anon", dict.fromkeys(COLUMNS, "text"), cells)
    try:
        report = ks.measure(backend.url, POLICY)
        for i, (name, ladder) in enumerate(case.ladders.items()):
            pairs = [(row[i], labels[i]) for (row, _), labels in zip(published, cells, strict=True)]
            wanted = measured(ladder, [row[i] for row in source], pairs)
            found = report.utility["per_column"][name]
            assert {metric: found[metric] for metric in wanted} == {metric: near(value) for metric, value in wanted.items()}, name
        sizes = Counter(cells)
        lost = len(rows) - len(published)
        assert report.utility["dm"] == sum(n * n if n >= 2 else n * len(rows) for n in sizes.values()) + lost * len(rows)
        assert report.utility["classes"] == len(sizes)
        for metric in ("geniloss", "ncp", "nllm", "prec"):
            assert report.utility[metric] == near(sum(c[metric] for c in report.utility["per_column"].values()) / 3)
    finally:
        backend.drop("hostile_anon")
        backend.drop("hostile")


def measured(ladder: Ladder, source: list[Any], pairs: list[tuple[Any, Any]]) -> dict[str, float]:
    """Return one column's metrics from the value and the label of each published row."""
    counts, n = Counter(source), len(source)
    common = [level for level in range(ladder.height + 1) if all(stands(ladder, label, level) for _, label in pairs)]
    lost = n - len(pairs)
    sums: dict[str, float] = dict.fromkeys(("geniloss", "ncp", "nllm", "prec"), float(lost))
    entropy, bits = lost * column_entropy(counts), 0.0
    hidden = counts.copy()
    for value, label in pairs:
        level = common[0] if common else next(at for at in range(ladder.height + 1) if stands(ladder, label, at))
        sums["geniloss"] += float(ladder.loss(value, level))
        sums["ncp"] += float(ncp(ladder, value, level))
        sums["nllm"] += float(nllm(ladder, value, level))
        sums["prec"] += level / ladder.height
        alike = Counter({other: c for other, c in counts.items() if ladder.paths[other][level] == label})
        entropy += column_entropy(alike)
        bits += log2(sum(alike.values()) / counts[value])
        hidden[value] -= 1
    bits += sum(c * log2(n / counts[value]) for value, c in hidden.items() if c)
    means = {metric: value / n for metric, value in sums.items()}
    return {**means, "prec": 1 - means["prec"], "entropy": entropy, "entropy_nonuniform": bits}


def stands(ladder: Ladder, label: Any, level: int) -> bool:
    return any(path[level] == label for path in ladder.paths.values())
