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
        ("social_security_number", 10, "identifier"),
        ("patientId", 10, "identifier"),
        ("customerid", 10, "identifier"),
        ("household_id", 300, "identifier"),
        ("hh_id", 300, "identifier"),
        ("ori_hid", 300, "identifier"),
        ("h_seq", 300, "identifier"),
        ("household_family_stat", 30, "quasi_identifier"),
        ("own_rent", 3, "quasi_identifier"),
        ("TENURE", 3, "quasi_identifier"),
        ("housing_type", 3, "quasi_identifier"),
        ("roof", 5, "quasi_identifier"),
        ("monthly_rent", 300, "sensitive"),
        ("house_value", 300, "sensitive"),
        ("STATETAX", 300, "sensitive"),
        ("FEDTAX", 990, "sensitive"),
        ("AGI", 990, "sensitive"),
        ("tax_deductions", 300, "sensitive"),
        ("onset", 300, "quasi_identifier"),
        ("symptom_onset_date", 300, "quasi_identifier"),
        ("diagnosis_date", 300, "quasi_identifier"),
        ("age_at_diagnosis", 60, "quasi_identifier"),
        ("agency", 60, "quasi_identifier"),
        ("schl", 25, "quasi_identifier"),
        ("EDUC1", 8, "quasi_identifier"),
        ("whatever", 990, "identifier"),
        ("whatever", 10, "quasi_identifier"),
        ("whatever", 1, "insensitive"),
    ],
)
def test_roles_by_name_and_counts(name: str, distinct: int, role: str) -> None:
    assert suggest_role(Column(name, "varchar", "text"), sample(distinct), Shape(), is_key=False).role == role


@pytest.mark.parametrize(
    ("name", "largest", "role"),
    [
        ("fnlwgt", 1.5e6, "drop"),
        ("PWGTP", 900.0, "drop"),
        ("AFNLWGT", 9e5, "drop"),
        ("sampling_weight", 100.0, "drop"),
        ("household_weights", 80.0, "drop"),
        ("instance_weight", 2e4, "drop"),
        ("weight_x100", 3e5, "drop"),
        ("weight", 160.0, "quasi_identifier"),
        ("birth_weight", 5000.0, "quasi_identifier"),
        ("social_security", 40000.0, "sensitive"),
    ],
)
def test_roles_of_numbers_by_name_and_range(name: str, largest: float, role: str) -> None:
    found = suggest_role(Column(name, "double", "float"), sample(300, largest=largest), Shape(), is_key=False)
    assert found.role == role


@pytest.mark.parametrize("name", ["treatment", "onset", "lab_result", "seen"])
@pytest.mark.parametrize("kind", ["date", "timestamp"])
def test_dates_are_quasi_identifiers(name: str, kind: ColumnKind) -> None:
    found = suggest_role(Column(name, kind, kind), sample(300), Shape(), is_key=False)
    assert found.role == "quasi_identifier"


@pytest.mark.parametrize(("first", "second"), [("age", "year"), ("SCHL", "roof"), ("zip", "industry"), ("industry", "whatever")])
def test_the_more_widely_known_column_has_the_lower_tier(first: str, second: str) -> None:
    tiers = [suggest_role(Column(name, "text", "text"), sample(30), Shape(), is_key=False).tier for name in (first, second)]
    assert tiers[0] < tiers[1]


def test_a_key_is_an_identifier_and_ungroupable_columns_are_dropped() -> None:
    assert suggest_role(Column("age", "integer", "integer"), sample(1000), Shape(), is_key=True).role == "identifier"
    assert suggest_role(Column("age", "json", "other"), None, Shape(), is_key=False).role == "identifier"
    assert suggest_role(Column("contact", "text", "text"), sample(500), Shape(addresses=400), is_key=False).role == "identifier"


@pytest.mark.parametrize(
    ("column", "kind", "found", "shape", "expected"),
    [
        ("age", "integer", sample(90, largest=99.0), Shape(), {"intervals": [5, 10, 20, 40]}),
        ("age", "integer", sample(4, largest=39.0), Shape(), {"intervals": [5, 10, 20, 40]}),
        ("AGEP", "float", sample(60, largest=95.0), Shape(), {"intervals": [5, 10, 20, 40]}),
        ("age_at_onset", "decimal", sample(2, largest=80.0), Shape(), {"intervals": [5, 10, 20, 40]}),
        ("agency", "integer", sample(90, largest=99.0), Shape(), {"intervals": [10, 20, 40, 80]}),
        ("age", "integer", sample(90, largest=999.0), Shape(), {"intervals": [100, 200, 400, 800]}),
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


def test_values_of_another_type_are_suppressed() -> None:
    rule, reason = suggest_hierarchy(Column("age", "integer", "integer"), sample(90, largest=99.0), Shape(), misfits=3)
    assert isinstance(rule, Suppress)
    assert reason == "3 values do not fit the type"
