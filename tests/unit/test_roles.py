"""Suggested roles and hierarchies, by names and counts alone."""

from __future__ import annotations

import pytest

from kanon_sql.hierarchy import Intervals, Mask, Suppress
from kanon_sql.stages.profile.defaults import ColumnSample
from kanon_sql.stages.profile.roles import Shape, suggest_hierarchy, suggest_role, words_of
from kanon_sql.tables import Column, ColumnKind


def sample(distinct: int, values: int = 1000, length: int | None = None, largest: float | None = None) -> ColumnSample:
    return ColumnSample(values, distinct, length, length, None if largest is None else 0.0, largest)


@pytest.mark.parametrize(
    ("name", "words"),
    [("dateOfBirth2", ["date", "of", "birth"]), ("ZIP_code", ["zip", "code"]), ("rac1p", ["rac", "p"]), ("Straße", ["straße"]), ("42", [])],
)
def test_words_of_a_name(name: str, words: list[str]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("name", "distinct", "role"),
    [
        ("email", 3, "identifier"),
        ("customerName", 10, "identifier"),
        ("country_name", 10, "quasi_identifier"),
        ("drug_id", 10, "sensitive"),
        ("patient_id", 10, "identifier"),
        ("soc_sec_id", 500, "identifier"),
        ("home_phone", 7, "identifier"),
        ("marital", 5, "quasi_identifier"),
        ("mar", 5, "quasi_identifier"),
        ("salary", 990, "sensitive"),
        ("whatever", 990, "identifier"),
        ("whatever", 10, "quasi_identifier"),
        ("whatever", 1, "insensitive"),
    ],
)
def test_roles_by_name_and_counts(name: str, distinct: int, role: str) -> None:
    assert suggest_role(Column(name, "varchar", "text"), sample(distinct), Shape(), is_key=False).role == role


def test_a_key_is_an_identifier_and_what_cannot_be_counted_is_dropped() -> None:
    assert suggest_role(Column("age", "integer", "integer"), sample(1000), Shape(), is_key=True).role == "identifier"
    assert suggest_role(Column("age", "json", "other"), None, Shape(), is_key=False).role == "identifier"
    assert suggest_role(Column("contact", "text", "text"), sample(500), Shape(addresses=400), is_key=False).role == "identifier"


@pytest.mark.parametrize(
    ("column", "kind", "found", "shape", "expected"),
    [
        ("age", "integer", sample(90, largest=99.0), Shape(), {"intervals": [5, 10, 20, 40]}),
        ("zip", "integer", sample(90, largest=99501.0), Shape(), {"mask": {"hide": [1, 2, 3, 4]}}),
        ("dob", "integer", sample(90, largest=19991231.0), Shape(), {"mask": {"hide": [2, 4, 5, 6]}}),
        ("dob", "text", sample(90, length=8), Shape(digits=90), {"mask": {"hide": [2, 4, 5, 6]}}),
        ("seen", "text", sample(90, length=10), Shape(iso_dates=90), {"mask": {"hide": [3, 6, 7, 8]}}),
        ("size", "float", sample(90, largest=1e300), Shape(), {"suppress": True}),
    ],
)
def test_hierarchies(column: str, kind: ColumnKind, found: ColumnSample, shape: Shape, expected: object) -> None:
    rule, _ = suggest_hierarchy(Column(column, kind, kind), found, shape, misfits=0)
    assert isinstance(rule, Intervals | Mask | Suppress)
    assert rule.model_dump(exclude={"origin": True, "mask": {"char"}}) == expected


def test_values_of_another_type_are_hidden_whole() -> None:
    rule, reason = suggest_hierarchy(Column("age", "integer", "integer"), sample(90, largest=99.0), Shape(), misfits=3)
    assert isinstance(rule, Suppress)
    assert reason == "3 values do not fit the type"
