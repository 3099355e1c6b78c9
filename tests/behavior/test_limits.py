"""Limits of a policy: a release that exceeds one is not published, in any mode."""

from __future__ import annotations

from typing import Any

import pytest
from support.databases import Database

import kanon_sql as ks
from kanon_sql.cli import run

COLUMNS = {"age": "integer", "sex": "text", "illness": "text"}
ROWS = [(20 + number % 10, "f" if number % 3 else "m", "flu" if number < 14 else "cold") for number in range(24)]


def policy(limits: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "table": "people",
        "publish": {"into": "people_anon"},
        "privacy": {"k": 4},
        "columns": {
            "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 10]}},
            "sex": {"role": "quasi_identifier", "hierarchy": "suppress"},
            "illness": "sensitive",
        },
        "limits": limits,
        **more,
    }


@pytest.fixture
def people(backend: Database) -> Database:
    backend.create("people", COLUMNS, ROWS)
    return backend


BROKEN = [
    {"geniloss": 0.1},
    {"prosecutor_max": 0.1},
    {"itpr": {"column": "illness", "max": 0}},
    {"prec": 0.99},
    {"cm": 0},
]


@pytest.mark.parametrize("limits", BROKEN, ids=lambda limits: next(iter(limits)))
def test_an_exceeded_limit_publishes_nothing(people: Database, limits: dict[str, Any]) -> None:
    before = people.rows("people")
    name = next(iter(limits))
    with pytest.raises(ks.LimitError, match=f"limits.{name}"):
        ks.anonymize(people.url, policy(limits))
    with pytest.raises(ks.LimitError, match=f"limits.{name}"):
        ks.anonymize(people.url, policy(limits), dry_run=True)
    assert people.tables() == {"people"}
    people.create("people_anon", {"age": "text"}, [("old",)])
    with pytest.raises(ks.LimitError, match=f"limits.{name}"):
        ks.anonymize(people.url, policy(limits), replace=True)
    assert people.rows("people_anon") == [("old",)]
    assert people.rows("people") == before


@pytest.mark.parametrize("limits", [BROKEN[0], BROKEN[2]], ids=["geniloss", "itpr"])
def test_an_exceeded_limit_publishes_nothing_in_place(people: Database, limits: dict[str, Any]) -> None:
    before = sorted(people.rows("people"))
    given = policy(limits, publish={"in_place": True})
    with pytest.raises(ks.LimitError):
        ks.anonymize(people.url, given, yes=True, dry_run=True)
    with pytest.raises(ks.LimitError):
        ks.anonymize(people.url, given, yes=True)
    assert sorted(people.rows("people")) == before


def test_limits_that_are_met_change_nothing(people: Database) -> None:
    plain = ks.anonymize(people.url, policy({}))
    everything = {
        "geniloss": 1, "prec": 0, "classes": 1, "dm": 24 * 24, "cm_share": 1, "suppression_rate": 0, "prosecutor_max": 0.25,
        "at_risk": 1, "itpr": [{"column": "illness", "max": 1}], "mi": {"column": "illness", "max": 1},
    }  # fmt: skip
    limited = ks.anonymize(people.url, policy(everything), replace=True)
    assert limited.levels == plain.levels
    assert limited.policy.to_dict()["limits"]["itpr"] == {"column": "illness", "max": 1}
    assert people.tables() >= {"people", "people_anon"}


@pytest.mark.engines("duckdb")
def test_a_value_at_its_limit_is_allowed(people: Database) -> None:
    report = ks.anonymize(people.url, policy({}), dry_run=True)
    exact = {"geniloss": report.utility["geniloss"], "prec": report.utility["prec"], "dm": report.utility["dm"]}
    assert ks.anonymize(people.url, policy(exact), dry_run=True).levels == report.levels


@pytest.mark.engines("duckdb")
def test_a_limit_without_a_value_is_not_met(people: Database) -> None:
    with pytest.raises(ks.LimitError, match="has no value here"):
        ks.anonymize(people.url, policy({"prec": 0.1}, algorithm="mondrian"))


@pytest.mark.engines("duckdb")
def test_exit_code(people: Database, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "people.yml"
    file.write_text(ks.load_policy(policy({"geniloss": 0.1, "itpr": {"column": "illness", "max": 0.5}})).to_yaml())
    assert run(["anonymize", people.url, "--policy", str(file), "-q"]) == 1
    assert "limits.geniloss" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"genilos": 0.4}, "did you mean 'geniloss'"),
        ({"geniloss": "much"}, "must be a number"),
        ({"itpr": 0.5}, "must name a column"),
        ({"itpr": {"column": "illness", "most": 1}}, "must name a column"),
        ({"itpr": {"column": "age", "max": 1}}, "must be a column that is published and is not a quasi-identifier"),
        ({"itpr": {"column": "nothing", "max": 1}}, "must be a column that is published and is not a quasi-identifier"),
        ([], "must map metrics to numbers"),
    ],
)
def test_invalid_requests_are_refused(limits: Any, message: str) -> None:
    with pytest.raises(ks.RequestError, match=message):
        ks.load_policy(policy(limits))
