"""A second run in place: nothing to do, a table that was loaded again, or a mix of recoded and raw rows that must not be changed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.databases import Database, Row

import kanon_sql as ks
from kanon_sql.cli import run

COLUMNS = {"age": "integer", "zip": "text", "job": "text", "sex": "text", "weight": "double", "illness": "text"}
QUASI: dict[str, Any] = {
    "age": {"intervals": [5, 10]},
    "zip": {"mask": {"char": "#", "hide": [1, 2]}},
    "job": {"csv": "job.csv"},
    "sex": "suppress",
}


def rows() -> list[Row]:
    """Return a policy under which every column must be generalized, because each alone is too fine for k = 10."""
    jobs = ["nurse", "doctor", "cook", "waiter"]
    return [(20 + n % 10, f"1{n % 10}", jobs[n % 4], "fmx"[n % 3], 60.25 + n, "flu") for n in range(24)]


def policy(folder: Path, *quasi: str, k: int = 10, **publish: Any) -> ks.Policy:
    (folder / "job.csv").write_text("nurse;care\ndoctor;care\ncook;food\nwaiter;food\n")
    columns = {
        name: {"role": "quasi_identifier", "hierarchy": QUASI[name]} if name in quasi else {"role": "insensitive", "accept_unique": True}
        for name in COLUMNS
    }
    return ks.load_policy({"table": "t", "publish": {"in_place": True, **publish}, "privacy": {"k": k}, "columns": columns}, folder=folder)


@pytest.fixture
def table(backend: Database) -> Database:
    backend.create("t", COLUMNS, rows())
    return backend


def reload(table: Database) -> None:
    table.drop("t")
    table.create("t", COLUMNS, rows())


def contents(table: Database) -> tuple[Counter[Row], list[Row], list[Row]]:
    return Counter(table.rows("t")), sorted(table.rows("__kanon_journal")), sorted(table.rows("kanon_runs"))


def refused(table: Database, given: ks.Policy) -> str:
    """Return the error of a refused run, after checking that nothing was changed."""
    before = contents(table)
    with pytest.raises(ks.RequestError) as raised:
        ks.anonymize(table.url, given, yes=True)
    assert contents(table) == before
    return str(raised.value)


@pytest.mark.parametrize("quasi", [["age"], ["zip"], ["job"], ["sex"], list(QUASI)], ids="-".join)
def test_an_unchanged_table_is_not_run_again(table: Database, tmp_path: Path, quasi: list[str]) -> None:
    given = policy(tmp_path, *quasi)
    first = ks.anonymize(table.url, given, yes=True)
    assert all(level > 0 for level in first.levels.values())
    before = contents(table)
    second = ks.anonymize(table.url, given)  # consent is not needed where nothing is done
    assert second.status == "unchanged"
    assert (second.levels, second.k, second.utility, second.published_rows) == (first.levels, first.k, first.utility, 24)
    assert contents(table) == before


def test_unchanged_on_the_command_line(table: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.yml"
    path.write_text(policy(tmp_path, "zip", "sex").to_yaml())
    assert run(["anonymize", table.url, "--policy", str(path), "--yes"]) == 0
    assert run(["anonymize", table.url, "--policy", str(path), "--yes"]) == 0
    assert "Nothing to do" in capsys.readouterr().out
    assert run(["anonymize", table.url, "--policy", str(path), "--yes", "--k", "4"]) == 1
    assert "made under another policy" in capsys.readouterr().err


def test_where_the_release_goes_is_not_part_of_the_policy(table: Database, tmp_path: Path) -> None:
    ks.anonymize(table.url, policy(tmp_path, "zip"), yes=True)
    assert ks.anonymize(table.url, policy(tmp_path, "zip", scrub="off", keep_backup=True), yes=True).status == "unchanged"


@pytest.mark.parametrize("change", [{"k": 4}, {"quasi": ("zip", "sex")}], ids=str)
def test_another_policy_is_refused(table: Database, tmp_path: Path, change: dict[str, Any]) -> None:
    ks.anonymize(table.url, policy(tmp_path, "zip"), yes=True)
    other = policy(tmp_path, *change.get("quasi", ("zip",)), k=change.get("k", 10))
    assert "made under another policy" in refused(table, other)


@pytest.mark.parametrize("quasi", [["age"], ["zip"], ["job"], ["sex"]], ids="-".join)
def test_a_completely_reloaded_table_runs(table: Database, tmp_path: Path, quasi: list[str]) -> None:
    given = policy(tmp_path, *quasi)
    ks.anonymize(table.url, given, yes=True)
    published = Counter(table.rows("t"))
    reload(table)
    assert ks.anonymize(table.url, given, yes=True).status == "published"
    assert Counter(table.rows("t")) == published
    assert [entry.status for entry in ks.history(table.url)] == ["published", "published"]
    assert ks.anonymize(table.url, given, yes=True).status == "unchanged"


def test_a_truncated_and_refilled_table_runs(table: Database, tmp_path: Path) -> None:
    given = policy(tmp_path, "zip", "job")
    ks.anonymize(table.url, given, yes=True)
    table.execute("delete from t")
    table.execute("insert into t values " + ", ".join(str(row) for row in rows()))
    assert ks.anonymize(table.url, given, yes=True).status == "published"


@pytest.mark.parametrize("quasi", [["zip"], ["job"], ["sex"]], ids="-".join)
def test_appended_raw_rows_are_refused_with_the_reason(table: Database, tmp_path: Path, quasi: list[str]) -> None:
    given = policy(tmp_path, *quasi)
    ks.anonymize(table.url, given, yes=True)
    table.execute("insert into t values (21, '12', 'cook', 'f', 1.5, 'new'), (22, '13', 'cook', 'f', 1.5, 'new')")
    message = refused(table, given)
    assert "was not completely reloaded" in message
    assert f"column '{quasi[0]}' holds labels in 24 of 26 rows" in message
    assert "reload all original rows" in message
    assert "12" not in message.replace("26 rows", "").split("holds labels")[1]


def test_raw_numbers_in_a_column_that_became_text_are_refused(table: Database, tmp_path: Path) -> None:
    given = policy(tmp_path, "age")
    ks.anonymize(table.url, given, yes=True)
    table.execute("insert into t values ('21', '12', 'cook', 'f', 1.5, 'new')")
    assert "column 'age' has been text since then" in refused(table, given)
    table.execute("delete from t")
    table.execute("insert into t values " + ", ".join(str(row) for row in rows()))
    assert "with the columns' original types" in refused(table, given)


def test_a_raw_column_next_to_recoded_ones_is_refused(table: Database, tmp_path: Path) -> None:
    given = policy(tmp_path, "zip", "job")
    ks.anonymize(table.url, given, yes=True)
    table.execute("update t set zip = '12'")
    message = refused(table, given)
    assert "column 'job' holds labels in 24 of 24 rows" in message
    assert "'zip'" not in message


@pytest.mark.parametrize("column", ["weight", "illness", "age"])
def test_an_updated_kept_column_is_detected(table: Database, tmp_path: Path, column: str) -> None:
    given = policy(tmp_path, "zip")
    ks.anonymize(table.url, given, yes=True)
    change = {"weight": "weight = weight + 0.125", "illness": "illness = 'Flu'", "age": "age = -age"}[column]
    table.execute(f"update t set {change}")
    assert "column 'zip' holds labels in 24 of 24 rows" in refused(table, given)


def test_rows_may_be_added_if_no_column_was_generalized(table: Database, tmp_path: Path) -> None:
    given = policy(tmp_path, "sex", k=2)
    assert ks.anonymize(table.url, given, yes=True).levels == {"sex": 0}
    table.execute("insert into t values (1, '1', 'x', 'f', 1.5, 'new')")
    table.execute("update t set illness = 'changed'")
    report = ks.anonymize(table.url, given, yes=True)
    assert (report.status, report.rows) == ("published", 25)


def test_raw_rows_next_to_hashed_ones_are_refused(table: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KANON_TEST_KEY", "secret")
    plain = policy(tmp_path, "sex", k=2).to_dict()
    plain["columns"]["illness"] = {"role": "identifier", "action": "hash", "key": "env:KANON_TEST_KEY"}
    given = ks.load_policy(plain, folder=tmp_path)
    assert ks.anonymize(table.url, given, yes=True).levels == {"sex": 0}
    assert ks.anonymize(table.url, given, yes=True).status == "unchanged"
    table.execute("insert into t values (1, '1', 'x', 'f', 1.5, 'raw'), (1, '1', 'x', 'f', 1.5, null)")
    assert "column 'illness' holds hashes in 24 of 25 rows" in refused(table, given)
    reload(table)
    assert ks.anonymize(table.url, given, yes=True).status == "published"


def test_a_deleted_row_is_detected(table: Database, tmp_path: Path) -> None:
    given = policy(tmp_path, "sex")
    ks.anonymize(table.url, given, yes=True)
    table.execute("delete from t where weight > 80")
    assert "column 'sex' holds labels" in refused(table, given)


def test_a_dry_run_reports_the_same(table: Database, tmp_path: Path) -> None:
    given = policy(tmp_path, "zip")
    ks.anonymize(table.url, given, yes=True)
    before = contents(table)
    assert ks.anonymize(table.url, given, dry_run=True).status == "unchanged"
    table.execute("update t set illness = 'changed'")
    with pytest.raises(ks.RequestError, match="holds labels"):
        ks.anonymize(table.url, given, dry_run=True)
    assert contents(table)[1:] == before[1:]


def test_another_table_is_independent(table: Database, tmp_path: Path) -> None:
    given = policy(tmp_path, "zip")
    ks.anonymize(table.url, given, yes=True)
    table.create("u", COLUMNS, rows())
    other = ks.load_policy({**given.to_dict(), "table": "u"}, folder=tmp_path)
    assert ks.anonymize(table.url, other, yes=True).status == "published"
    assert ks.anonymize(table.url, given, yes=True).status == "unchanged"
    assert ks.anonymize(table.url, other, yes=True).status == "unchanged"


@pytest.mark.engines("sqlite")
def test_a_run_that_another_run_preceded_changes_nothing(table: Database, tmp_path: Path) -> None:
    """SQLite has only the lock of a write, so a second run may start and end while the first one searches."""
    given = policy(tmp_path, "zip")
    overtaking: list[str] = []

    def overtake(name: str, stage: Any) -> None:
        if name == "lock" and stage is None:
            overtaking.append(ks.anonymize(table.url, given, yes=True).status)

    with pytest.raises(ks.BackendError, match="another run has published"):
        ks.anonymize(table.url, given, yes=True, listener=overtake)
    assert overtaking == ["published"]
    assert ks.anonymize(table.url, given, yes=True).status == "unchanged"
