"""DataFrames as input and output, with their types; results in a notebook."""

from __future__ import annotations

import datetime
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

import kanon_sql as ks

QUASI = "quasi_identifier"


@pytest.fixture
def frame() -> pd.DataFrame:
    count = 24
    return pd.DataFrame(
        {
            "name": [f"Secret {n}" for n in range(count)],
            "age": [20 + n % 12 for n in range(count)],
            "sex": pd.Categorical(["F" if n % 2 else "M" for n in range(count)], categories=["M", "F", "X"]),
            "visits": pd.array([None if n == 3 else n % 4 for n in range(count)], dtype="Int16"),
            "ill": pd.array([None if n % 5 == 0 else n % 3 == 0 for n in range(count)], dtype="boolean"),
            "weight": [float("nan") if n % 7 == 0 else 60.5 + n % 4 for n in range(count)],
            "seen": pd.to_datetime(["2020-01-01"] * count).tz_localize("Europe/Berlin"),
            "born": [None if n % 8 == 0 else datetime.date(1990, 1, 1 + n % 3) for n in range(count)],
            "diagnosis": ["flu" if n % 2 else "cold" for n in range(count)],
        },
        index=[f"Secret index {n}" for n in range(count)],
    )


POLICY: dict[str, Any] = {
    "privacy": {"k": 4},
    "columns": {
        "name": "identifier",
        "age": {"role": QUASI, "hierarchy": {"intervals": [4]}},
        "sex": {"role": QUASI, "hierarchy": "suppress"},
        **dict.fromkeys(["visits", "ill", "weight", "seen", "born", "diagnosis"], "sensitive"),
    },
}


def test_a_dataframe_returns_a_dataframe(frame: pd.DataFrame) -> None:
    before = frame.copy(deep=True)
    result = ks.anonymize(frame, POLICY)
    pd.testing.assert_frame_equal(frame, before)
    assert list(result.columns) == [name for name in frame.columns if name != "name"]
    assert result.attrs["kanon"]["privacy"]["k"] >= 4
    assert result.attrs["kanon"]["solution"]["levels"] == {"age": 1, "sex": 0}
    assert set(result["age"]) == {"[20,24)", "[24,28)", "[28,32)"}
    for name in ("sex", "visits", "ill", "weight", "seen", "diagnosis"):
        assert result[name].dtype == frame[name].dtype, name
    assert {type(day) for day in result["born"].dropna()} == {datetime.date}
    assert list(result.index) == list(range(len(frame)))
    for name in ("sex", "visits", "ill", "weight", "seen", "born", "diagnosis"):
        assert result[name].isna().sum() == frame[name].isna().sum(), name
        assert sorted(result[name].dropna().astype(str)) == sorted(frame[name].dropna().astype(str)), name
    assert "Secret" not in result.to_csv()


def test_names_of_the_policy_are_used_without_their_schemas(frame: pd.DataFrame, tmp_path: Path) -> None:
    path = tmp_path / "p.yml"
    policy = ks.load_policy({**POLICY, "table": 'clinic."pa.tients"', "publish": {"into": "open.people"}})
    path.write_text(policy.to_yaml())
    for given in (policy, path, str(path)):
        report = ks.anonymize(frame, given).attrs["kanon"]
        assert report["policy"]["table"] == '"pa.tients"'
        assert report["published"]["table"] == "people"
    same = ks.anonymize(frame, {**POLICY, "table": "t", "publish": {"into": "T"}})
    assert same.attrs["kanon"]["published"]["table"] == "t_anon"


def test_bounds_and_hierarchy_files(frame: pd.DataFrame, tmp_path: Path) -> None:
    (tmp_path / "sex.csv").write_text("M;any\nF;any\n")
    age, sex = {**POLICY["columns"]["age"], "output": "bounds"}, {"role": QUASI, "hierarchy": {"csv": "sex.csv"}}
    given = {**POLICY, "table": "t", "publish": {"into": "u"}, "columns": {**POLICY["columns"], "age": age, "sex": sex}}
    (tmp_path / "p.yml").write_text(ks.load_policy(given, folder=tmp_path).to_yaml())
    result = ks.anonymize(frame, tmp_path / "p.yml")
    assert (result["age_max"] - result["age_min"]).unique().tolist() == [4]


def test_check_and_profile(frame: pd.DataFrame) -> None:
    assert not ks.check(frame, quasi_identifiers=["age", "sex"], k=4).holds
    assert ks.check(ks.anonymize(frame, POLICY), quasi_identifiers=["age", "sex"], k=4).holds
    report = ks.profile(frame, k=3)
    assert {"name": "identifier", "age": QUASI, "sex": QUASI, "diagnosis": "sensitive"}.items() <= {
        column.column.name: column.role for column in report.columns
    }.items()
    assert (ks.anonymize(frame, report.policy).attrs["kanon"]["privacy"]["k"] or 0) >= 3


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({1: [1]}, "has 1 column with a name that is not text"),
        ({"a": [1], "A": [2]}, "equal or differ only by case"),
        ({}, "no column"),
    ],
)
def test_dataframes_that_cannot_be_a_table(columns: dict[Any, list[int]], message: str) -> None:
    with pytest.raises(ks.RequestError, match=message):
        ks.profile(pd.DataFrame(columns))


def test_columns_that_cannot_be_read_are_named() -> None:
    odd = pd.DataFrame({"age": [1, 2], "month": pd.period_range("2020-01", periods=2, freq="M")})
    with pytest.raises(ks.RequestError, match=r"cannot read columns of the DataFrame: 'month' \(period\[M\]\); convert or drop"):
        ks.profile(odd)


def test_options_that_do_not_apply_to_dataframes_are_refused(frame: pd.DataFrame) -> None:
    with pytest.raises(ks.RequestError, match="dry_run"):
        ks.anonymize(frame, POLICY, dry_run=True)
    with pytest.raises(ks.RequestError, match="columns: is missing"):
        ks.anonymize(frame, {"privacy": {"k": 2}})
    with duckdb.connect() as connection, pytest.raises(ks.RequestError, match="name the table"):
        ks.check(connection, quasi_identifiers=["a"], k=2)
    with duckdb.connect() as connection, pytest.raises(ks.RequestError, match="name the table"):
        ks.profile(connection)


def test_results_show_in_a_notebook(frame: pd.DataFrame) -> None:
    with duckdb.connect() as connection:
        connection.execute('create table t as select (i % 2)::int as "<b>a", 1 as n from range(10) r(i)')
        given = {"table": "t", "publish": {"into": "u"}, "privacy": {"k": 2}, "columns": {"<b>a": QUASI, "n": "sensitive"}}
        shown = ks.anonymize(connection, given)._repr_html_()
        assert "&lt;b&gt;a" in shown
        assert "<b>a" not in shown
        assert "u: 10 of 10 rows in 2 classes, k = 5" in shown
        assert "t is not 6-anonymous" in ks.check(connection, "t", quasi_identifiers=["<b>a"], k=6)._repr_html_()
    shown = ks.profile(frame)._repr_html_()
    assert "diagnosis" in shown
    assert "Secret" not in shown


def test_importing_the_package_does_not_import_pandas() -> None:
    program = "import sys, kanon_sql; kanon_sql.anonymize; print('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip() == "False"


def test_the_documentation_names_the_functions_that_take_dataframes() -> None:
    text = (Path(__file__).parents[2] / "docs" / "python.md").read_text()
    said = text.partition("## DataFrames")[2].partition("take a pandas DataFrame")[0]
    functions = {name: getattr(ks, name) for name in ks.__all__ if inspect.isfunction(getattr(ks, name))}
    ours = {name for name, function in functions.items() if "pd.DataFrame" in function.__annotations__.get("connection", "")}
    assert set(re.findall(r"ks\.(\w+)", said)) == ours
