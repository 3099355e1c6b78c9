"""Text is compared byte for byte in count, publish, verify and check, whatever the column's collation."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.databases import Database

import kanon_sql as ks

LATIN = ["a", "A", "a ", " a", "á", "à", "ß", "ss", "SS", "", "o", "ö", "ab", "aB", "Ab", "a\u00a0"]
UNICODE = ["a\u0301", "a\u200b", "ａ", "ı", "i", "İ", "I", "ﬁ", "fi", "Ω", "\u2126", "日", "a\t", "a  ", "\\", "\\\\", "'", "%"]
EMOJI = ["😀", "😁", "👩‍👩", "👩👩"]
ALL = [*LATIN, *UNICODE, *EMOJI]

# Columns of every collation that could merge values, with spellings they can hold.
COLUMNS: dict[str, dict[str, list[str]]] = {
    "duckdb": {"varchar": ALL, "varchar collate nocase": ALL, "varchar collate nocase.noaccent": ALL},
    "sqlite": {"text": ALL, "text collate nocase": ALL, "text collate rtrim": ALL},
    "postgresql": {"text": ALL, 'varchar(20) collate "C"': ALL},
    "mariadb": {
        "varchar(20) collate utf8mb4_general_ci": ALL,
        "varchar(20) collate utf8mb4_unicode_ci": ALL,
        "varchar(20) collate utf8mb4_bin": ALL,
        "varchar(20) character set latin1 collate latin1_swedish_ci": LATIN,
    },
}
MORE: dict[str, dict[str, list[str]]] = {
    "duckdb": {"varchar collate noaccent": ALL, "varchar collate nfc": ALL, "varchar collate de": ALL},
    "sqlite": {"varchar(3) collate nocase": ALL},
    "postgresql": {'text collate "POSIX"': ALL, "varchar": ALL},
    "mariadb": {
        "varchar(20) collate utf8mb4_nopad_bin": ALL,
        "varchar(20) collate utf8mb4_uca1400_ai_ci": ALL,
        "text collate utf8mb4_general_ci": ALL,
        "varchar(20) character set utf8mb3 collate utf8mb3_general_ci": [*LATIN, *UNICODE],
        "varchar(20) character set latin1 collate latin1_bin": LATIN,
    },
}


def make(backend: Database, declared: str, values: list[str | None]) -> None:
    """Create the table `t` with a number and a text per row, and drop its release."""
    for table in ("t", "u"):
        backend.drop(table)
    backend.create("t", {"n": "integer", "x": declared}, list(enumerate(values)))


def policy(hierarchy: Any, k: int = 2, **changes: Any) -> dict[str, Any]:
    columns = {
        "n": {"role": "insensitive", "accept_unique": True},
        "x": {"role": "quasi_identifier", "hierarchy": hierarchy},
    }
    return {"table": "t", "publish": {"into": "u"}, "privacy": {"k": k}, "columns": columns, **changes}


def published(backend: Database) -> dict[int, str | None]:
    """Return the published text of each row, by its number."""
    return dict(backend.execute("select n, x from u"))


def spellings(backend: Database, declared: str) -> list[str | None]:
    return [*{**COLUMNS[backend.name], **MORE[backend.name]}[declared], None]


def test_every_spelling_is_published_unchanged(backend: Database) -> None:
    for declared in [*COLUMNS[backend.name], *MORE[backend.name]]:
        values = spellings(backend, declared) * 2
        make(backend, declared, values)
        report = ks.anonymize(backend.url, policy("suppress"))
        assert (declared, report.levels, report.classes) == (declared, {"x": 0}, len(values) // 2)
        assert published(backend) == dict(enumerate(values)), declared
        assert backend.execute("select n, x from t order by n") == list(enumerate(values))
        for table in ("t", "u"):
            assert ks.check(backend.url, table, quasi_identifiers=["x"], k=2).to_dict()["classes"] == len(values) // 2


def test_spellings_that_a_collation_merges_are_too_rare_each(backend: Database) -> None:
    for declared in [*COLUMNS[backend.name], *MORE[backend.name]]:
        values = spellings(backend, declared)
        make(backend, declared, values)
        failing = ks.check(backend.url, "t", quasi_identifiers=["x"], k=2).to_dict()["failing"]
        assert (declared, failing) == (declared, {"classes": len(values), "rows": len(values)})
        assert ks.anonymize(backend.url, policy("suppress")).levels == {"x": 1}
        assert set(published(backend).values()) == {"*"}, declared


def test_spellings_that_a_collation_merges_are_suppressed_each(backend: Database) -> None:
    for declared in COLUMNS[backend.name]:
        make(backend, declared, ["a", "A", "A", "a ", "á", "ab", "ab"])
        report = ks.anonymize(backend.url, policy("suppress", suppression=3))
        assert (declared, report.levels, report.suppressed_rows) == (declared, {"x": 0}, 3)
        assert published(backend) == {1: "A", 2: "A", 5: "ab", 6: "ab"}, declared


def test_masks_keep_spellings_apart(backend: Database) -> None:
    for declared in COLUMNS[backend.name]:
        values = spellings(backend, declared)
        make(backend, declared, [*values, *values, "xyz1", "xyz2"])
        assert ks.anonymize(backend.url, policy({"mask": {"char": "#", "hide": [1]}})).levels == {"x": 1}
        masked = [value[:-1] + "#" if value else value for value in values]
        assert published(backend) == dict(enumerate([*masked, *masked, "xyz#", "xyz#"])), declared


def test_labels_that_a_collation_merges_are_two_classes(backend: Database) -> None:
    for declared in COLUMNS[backend.name]:
        make(backend, declared, ["ab", "ac", "Ab"])
        assert ks.anonymize(backend.url, policy({"mask": {"hide": [1]}})).levels == {"x": 2}, declared


LEAVES = ["a", "A", "a ", " a", "á", "ß", "ss", "", "aB", "Ab", "a\u00a0"]


def write(folder: Path, lines: list[tuple[str, ...]]) -> Path:
    (folder / "h.csv").write_text("\n".join(";".join(line) for line in lines), encoding="utf-8")
    return folder


def test_leaves_of_a_file_that_differ_by_case_or_space_only(backend: Database, tmp_path: Path) -> None:
    labels = {**{leaf: f"label {place}" for place, leaf in enumerate(LEAVES)}, "x": "label x", "X": "label x"}
    folder = write(tmp_path, list(labels.items()))
    for declared in COLUMNS[backend.name]:
        values = [*LEAVES, *LEAVES, "x", "X"]
        make(backend, declared, list(values))
        report = ks.anonymize(backend.url, ks.load_policy(policy({"csv": "h.csv"}), folder=folder))
        assert (declared, report.levels) == (declared, {"x": 1})
        assert published(backend) == {number: labels[value] for number, value in enumerate(values)}, declared


def test_labels_of_a_file_that_differ_by_case_or_space_only(backend: Database, tmp_path: Path) -> None:
    labels = ["group", "Group", "group ", "gróup"]
    folder = write(tmp_path, [(f"{place}{letter}", label) for place, label in enumerate(labels) for letter in "ab"])
    for declared in COLUMNS[backend.name]:
        values = [f"{place}{letter}" for place in range(len(labels)) for letter in "ab"]
        make(backend, declared, list(values))
        report = ks.anonymize(backend.url, ks.load_policy(policy({"csv": "h.csv"}), folder=folder))
        assert (declared, report.levels, report.classes) == (declared, {"x": 1}, len(labels))
        assert published(backend) == {number: labels[int(value[0])] for number, value in enumerate(values)}
        assert ks.check(backend.url, "u", quasi_identifiers=["x"], k=2).to_dict()["classes"] == len(labels)


def test_a_file_does_not_list_what_a_collation_would_find(backend: Database, tmp_path: Path) -> None:
    folder = write(tmp_path, [("a", "first"), ("b", "second")])
    for declared in COLUMNS[backend.name]:
        make(backend, declared, ["a", "A", "a ", "á", "b"])
        with pytest.raises(ks.HierarchyError, match="does not list 3 distinct values in 3 rows"):
            ks.anonymize(backend.url, ks.load_policy(policy({"csv": "h.csv"}), folder=folder))
        rule = {"csv": "h.csv", "unlisted": "root"}
        report = ks.anonymize(backend.url, ks.load_policy(policy(rule, suppression=2), folder=folder))
        assert (declared, report.levels, report.suppressed_rows) == (declared, {"x": 1}, 2)
        assert published(backend) == {1: "*", 2: "*", 3: "*"}


def test_kept_columns_of_any_collation_are_unchanged(backend: Database) -> None:
    kinds = [*COLUMNS[backend.name], *MORE[backend.name]]
    columns = {f"c{number}": declared for number, declared in enumerate(kinds)}
    rows = [(1, *(value if value in spellings(backend, declared) else None for declared in kinds)) for value in ALL]
    backend.create("t", {"g": "integer", **columns}, rows)
    given = policy("suppress")
    kept = {"role": "insensitive", "accept_unique": True}
    given["columns"] = {"g": {"role": "quasi_identifier", "hierarchy": "suppress"}, **dict.fromkeys(columns, kept)}
    ks.anonymize(backend.url, given)
    assert Counter(backend.rows("u")) == Counter(rows)


def test_two_text_columns_of_different_collations(backend: Database) -> None:
    first, *_, last = COLUMNS[backend.name]
    rows = [(one, other) for one in ("a", "A", "a ") for other in ("b", "B", "b ")]
    backend.create("t", {"x": first, "y": last}, rows * 2)
    rule = {"role": "quasi_identifier", "hierarchy": {"mask": {"hide": [1]}}}
    given = {"table": "t", "publish": {"into": "u"}, "privacy": {"k": 2}, "columns": {"x": rule, "y": rule}}
    report = ks.anonymize(backend.url, given)
    assert (report.levels, report.classes) == ({"x": 0, "y": 0}, 9)
    assert Counter(backend.rows("u")) == Counter(rows * 2)


NUL = ["a\0b", "a\0c", "a", "a\0"]


@pytest.mark.engines("duckdb", "sqlite", "mariadb")
def test_text_with_a_nul_byte(backend: Database) -> None:
    make(backend, "varchar(20)", [*NUL, *NUL])
    assert ks.check(backend.url, "t", quasi_identifiers=["x"], k=2).to_dict()["classes"] == len(NUL)
    assert ks.anonymize(backend.url, policy("suppress")).classes == len(NUL)
    assert published(backend) == dict(enumerate([*NUL, *NUL]))


@pytest.mark.engines("duckdb", "postgresql")
def test_intervals_of_time_that_an_engine_compares_equal_are_distinct(backend: Database) -> None:
    backend.execute("create table t (x interval)")
    backend.execute("insert into t values ('1 month'), ('30 days'), ('720 hours')")
    assert len(backend.execute("select x from t group by x")) == 1
    assert ks.check(backend.url, "t", quasi_identifiers=["x"], k=3).to_dict()["classes"] == 3
    given = policy("suppress", k=3)
    del given["columns"]["n"]
    assert ks.anonymize(backend.url, given).levels == {"x": 1}
