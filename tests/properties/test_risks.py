"""Risk of random tables with NULLs and texts that collations merge, compared with the row-by-row oracle."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from support import metric_oracle
from support.comparisons import near
from support.databases import Database

import kanon_sql as ks

COLUMNS = {"age": "integer", "zip": "text", "sex": "boolean", "illness": "text", "name": "text"}
KNOWN = ["age", "zip", "sex"]
TEXTS = ["a", "A", "a ", "á", "", "b", None]

rows_of_people = st.lists(
    st.tuples(
        st.sampled_from([1, 2, 30, None]),
        st.sampled_from(TEXTS),
        st.sampled_from([True, False, None]),
        st.sampled_from(["flu", "Flu", "cold", None]),
        st.sampled_from(["p1", "p2", "p3", "p4"]),
    ),
    max_size=25,
)


def all_near(wanted: dict[str, float | None]) -> dict[str, Any]:
    return {name: near(value, absolute=1e-11) for name, value in wanted.items()}


@settings(max_examples=20)
@given(
    rows=rows_of_people, more=rows_of_people, threshold=st.sampled_from(["0.2", "0.25", "0.3333", "1", "0.1"]), in_population=st.booleans()
)
@example(rows=[], more=[], threshold="0.2", in_population=True)
@example(rows=[(1, "a", True, "flu", "p1")], more=[], threshold="0.2", in_population=False)
def test_risk_equals_the_oracles(
    backend: Database, rows: list[tuple[Any, ...]], more: list[tuple[Any, ...]], threshold: str, in_population: bool
) -> None:
    backend.create("people", COLUMNS, rows)
    backend.create("everyone", COLUMNS, more)
    try:
        report = ks.risk(
            backend.url, "people", quasi_identifiers=KNOWN, sensitive=["illness"], identifiers=["name"],
            population="everyone" if in_population else None, threshold=threshold, subsets=[["zip", "age"]],
        )  # fmt: skip
        known = [row[:3] for row in rows]
        population = [row[:3] for row in more] if in_population else None
        assert report.figures == all_near(metric_oracle.risk(known, population, Fraction(threshold)))
        assert (report.rows, report.classes) == (len(rows), len(set(known)))
        assert sum(bucket.rows for bucket in report.histogram) == len(rows)
        for found in report.sets:
            places = [KNOWN.index(name) for name in found.columns]
            wanted = metric_oracle.told_apart([tuple(row[place] for place in places) for row in rows])
            target = found.to_dict()
            assert {name: target[name] for name in wanted} == all_near(wanted)
        assert {found.columns for found in report.sets} >= {("age",), ("age", "zip"), ("zip", "sex"), ("age", "zip", "sex")}
        assert [found.quasi_identifiers for found in report.information[::2]] == [
            ("age", "zip", "sex"), ("age",), ("zip",), ("sex",), ("age", "zip"),
        ]  # fmt: skip
        for told_of in report.information:
            places, place = [KNOWN.index(name) for name in told_of.quasi_identifiers], list(COLUMNS).index(told_of.column)
            pairs = [(tuple(row[p] for p in places), row[place]) for row in rows]
            assert told_of.figures == all_near(metric_oracle.information(pairs))
    finally:
        backend.drop("people")
        backend.drop("everyone")
