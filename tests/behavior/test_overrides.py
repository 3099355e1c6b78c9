"""Policy keys given as arguments in Python replace those of the policy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.databases import Database

import kanon_sql as ks

POLICY: dict[str, Any] = {
    "table": "people",
    "publish": {"into": "people_anon"},
    "privacy": {"k": 3, "l_diversity": {"column": "illness", "l": 2}},
    "columns": {
        "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 10]}},
        "town": {"role": "quasi_identifier", "hierarchy": {"csv": "towns.csv"}},
        "illness": "sensitive",
    },
}
ROWS = [(20 + n % 12, f"t{n % 3}", f"i{n % 2}") for n in range(60)]
pytestmark = pytest.mark.engines("duckdb")


@pytest.fixture
def people(backend: Database, tmp_path: Path) -> Database:
    backend.create("people", {"age": "integer", "town": "text", "illness": "text"}, ROWS)
    (tmp_path / "towns.csv").write_text("t0;north;*\nt1;north;*\nt2;south;*\n")
    (tmp_path / "policy.yml").write_text(ks.load_policy(POLICY, folder=tmp_path).to_yaml())
    return backend


def sources(folder: Path) -> list[Any]:
    """The same policy as a file's name, as a path and as a checked policy."""
    path = folder / "policy.yml"
    return [str(path), path, ks.load_policy(path)]


def test_keys_replace_those_of_the_policy(people: Database, tmp_path: Path) -> None:
    for policy in sources(tmp_path):
        report = ks.anonymize(people.url, policy, replace=True, k=10, suppression=0.25, algorithm="ola", cost=["dm", "geniloss"])
        used = report.policy
        assert (used.privacy.k, float(used.suppression.limit), used.algorithm, used.cost) == (10, 0.25, "ola", ("dm", "geniloss"))
        assert used.privacy.value_rules == ks.load_policy(policy).privacy.value_rules
        assert (report.k or 0) >= 10


def test_every_function_with_a_policy_takes_keys(people: Database, tmp_path: Path) -> None:
    path = tmp_path / "policy.yml"
    assert ks.solve(people.url, path, k=10).policy.privacy.k == 10
    assert ks.explain(people.url, path, k=10).larger_k[0] == 15
    ks.anonymize(people.url, path, k=10, into="other")
    assert ks.measure(people.url, path, into="other").released.table == "other"
    assert ks.check(people.url, "other", policy=path, k=10).required_k == 10
    assert not ks.check(people.url, "people", policy=path, l_diversity={"column": "illness", "l": 3}).holds
    report = ks.profile(people.url, "people", k=4, suppression=0, algorithm="ola", others="drop")
    assert report.policy.to_dict() | {"columns": {}} == {
        "table": "people", "publish": {"into": "people_anon"}, "privacy": {"k": 4}, "algorithm": "ola", "others": "drop", "columns": {},
    }  # fmt: skip


def test_keys_complete_a_policy(people: Database) -> None:
    columns = {"age": "quasi_identifier", "illness": "sensitive"}
    report = ks.anonymize(people.url, {"columns": columns}, table="people", into="u", k=3, others="drop")
    assert report.policy.columns.keys() == columns.keys()
    frame = pd.DataFrame(ROWS, columns=["age", "town", "illness"])
    anonymous = ks.anonymize(frame, {"columns": columns}, k=3, others="drop")
    assert ks.check(anonymous, quasi_identifiers=["age"], k=3).holds


def test_into_and_in_place_replace_each_other(people: Database, tmp_path: Path) -> None:
    path = tmp_path / "policy.yml"
    with pytest.raises(ks.RequestError, match="yes=True"):
        ks.anonymize(people.url, path, in_place=True)
    assert ks.anonymize(people.url, path, in_place=True, allow_loss=["x"], yes=True).policy.publish.allow_loss == ("x",)
    columns = {"age": "quasi_identifier", "town": "quasi_identifier", "illness": "sensitive"}
    in_place = {**POLICY, "publish": {"in_place": True}, "columns": columns}
    assert ks.solve(people.url, in_place, into="u").policy.publish.into == "u"


def test_none_leaves_the_policys_value(people: Database, tmp_path: Path) -> None:
    given: Any = {"k": None, "algorithm": None}
    assert ks.solve(people.url, tmp_path / "policy.yml", **given).policy.privacy.k == 3


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"supression": 0.1}, r"unknown argument 'supression' \(did you mean 'suppression'\?\)"),
        ({"dryrun": True}, r"unknown argument 'dryrun' \(did you mean 'dry_run'\?\)"),
        ({"k": 1}, "arguments: privacy.k: must be a whole number of at least 2"),
        ({"algorithm": "olla"}, r"arguments: algorithm: 'olla' is not allowed \(did you mean 'ola'\?\)"),
        ({"suppression": 2.5}, "arguments: suppression: a share must lie between"),
    ],
)
def test_mistakes_are_explained(people: Database, tmp_path: Path, keys: dict[str, Any], message: str) -> None:
    with pytest.raises(ks.RequestError, match=message):
        ks.anonymize(people.url, tmp_path / "policy.yml", **keys)


def test_keys_of_a_check_need_a_policy(people: Database) -> None:
    with pytest.raises(ks.RequestError, match="suppression: these are keys of a policy"):
        ks.check(people.url, "people", quasi_identifiers=["age"], k=2, suppression=0.1)
