"""Kinds of hierarchy and output that only this test knows work without changing any other module."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from support.databases import Database

import kanon_sql as ks
import kanon_sql.sql.templates as templates
from kanon_sql.hierarchy import RULES, Rule, TemplateCall
from kanon_sql.outputs import OUTPUTS
from kanon_sql.outputs.midpoint import Midpoint
from kanon_sql.tables import Column, ColumnKind

INITIALS = """{# Leaves with their first letters; inputs: leaves, letters; output: value, position, listed, row_count, label_1, label_2 #}
select
    value,
    position,
    listed,
    row_count,
    substr(value, 1, {{ letters | number }}) as label_1,
    '*' as label_2
from {{ leaves | name }}
"""
REMAINDERS = """{# Numbers by their remainder; inputs: leaves, divisor; output: value, position, listed, row_count, label_1, label_2 #}
select
    value,
    position,
    listed,
    row_count,
    cast(value % {{ divisor | number }} as varchar) as label_1,
    '*' as label_2
from {{ leaves | name }}
"""
REMAINDER_BOUNDS = """{# The smallest and largest value of each remainder; inputs: hierarchy, level; output: part, low, high #}
select
    {{ "part" | numbered(level) }} as part,
    min(value) as low,
    max(value) as high
from {{ hierarchy | name }}
group by {{ "part" | numbered(level) }}
"""
UPPER_END = """{#- Part of ranges: the largest value of a range; reads last_end; output: published_value -#}
last_end.position as published_value,
"""


class Initials(Rule):
    """Text by its first letters."""

    key: ClassVar[str] = "initials"
    kinds: ClassVar[tuple[ColumnKind, ...]] = ("text",)
    initials: int

    @property
    def height(self) -> int:
        return 2

    def labels(self, column: Column) -> TemplateCall:
        return TemplateCall("labels/levels/initials", {"letters": self.initials})


class Remainders(Rule):
    """Whole numbers by their remainder, with bounds."""

    key: ClassVar[str] = "remainders"
    kinds: ClassVar[tuple[ColumnKind, ...]] = ("integer",)
    has_bounds: ClassVar[bool] = True
    remainders: int

    @property
    def height(self) -> int:
        return 2

    def labels(self, column: Column) -> TemplateCall:
        return TemplateCall("labels/levels/remainders", {"divisor": self.remainders})

    def bounds(self, column: Column, level: int) -> TemplateCall:
        return TemplateCall("labels/bounds/remainders", {})


class UpperEnd(Midpoint):
    """The largest value of a region."""

    name: ClassVar[str] = "upper_end"
    expression: ClassVar[str] = "labels/regions/outputs/upper_end.sql"


@pytest.fixture
def new_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register two kinds of hierarchy and one of output: one line each, and their templates."""
    folder = tmp_path / "sql_templates"
    shutil.copytree(templates.templates_folder(), folder)
    texts = {
        "levels/initials": INITIALS,
        "levels/remainders": REMAINDERS,
        "bounds/remainders": REMAINDER_BOUNDS,
        "regions/outputs/upper_end": UPPER_END,
    }
    for name, text in texts.items():
        (folder / "labels" / f"{name}.sql").write_text(text)
    monkeypatch.setattr(templates, "templates_folder", lambda: folder)
    templates._environment.cache_clear()
    templates._own_file.cache_clear()
    monkeypatch.setitem(RULES, "initials", Initials)
    monkeypatch.setitem(RULES, "remainders", Remainders)
    monkeypatch.setitem(OUTPUTS, "upper_end", UpperEnd())
    yield
    monkeypatch.undo()
    templates._environment.cache_clear()
    templates._own_file.cache_clear()


PEOPLE = [("Anna", 10), ("Anton", 20), ("Bea", 11), ("Ben", 31), (None, 14), (None, 24)]


def policy(**number: object) -> ks.Policy:
    columns = {
        "name": {"role": "quasi_identifier", "hierarchy": {"initials": 1}, "min_level": 1},
        "number": {"role": "quasi_identifier", "hierarchy": {"remainders": 10}, "min_level": 1, **number},
    }
    return ks.load_policy({"table": "people", "publish": {"into": "people_anon"}, "privacy": {"k": 2}, "columns": columns})


@pytest.mark.usefixtures("new_kinds")
def test_a_new_hierarchy_kind_is_one_class_and_one_entry(backend: Database) -> None:
    backend.create("people", {"name": "text", "number": "integer"}, PEOPLE)
    report = ks.anonymize(backend.url, policy())
    assert report.k == 2
    found = sorted(backend.rows("people_anon"), key=str)
    assert found == sorted([("A", "0"), ("A", "0"), ("B", "1"), ("B", "1"), (None, "4"), (None, "4")], key=str)


@pytest.mark.usefixtures("new_kinds")
def test_a_new_hierarchy_kind_has_bounds(backend: Database) -> None:
    backend.create("people", {"name": "text", "number": "integer"}, PEOPLE)
    ks.anonymize(backend.url, policy(output="bounds"))
    found = sorted(backend.rows("people_anon"), key=str)
    assert found == sorted([("A", 10, 20), ("A", 10, 20), ("B", 11, 31), ("B", 11, 31), (None, 14, 24), (None, 14, 24)], key=str)


@pytest.mark.usefixtures("new_kinds")
def test_a_new_hierarchy_kind_is_part_of_messages_and_files(tmp_path: Path) -> None:
    assert policy().to_dict()["columns"]["name"]["hierarchy"] == {"initials": 1}
    with pytest.raises(ks.RequestError, match=r"unknown hierarchy 'inital' \(did you mean 'initials'\?\)"):
        ks.load_policy({**policy().to_dict(), "columns": {"name": {"role": "quasi_identifier", "hierarchy": {"inital": 1}}}})
    wrong = {"initials": 1, "leters": 2}
    with pytest.raises(ks.RequestError, match=r"columns.name.hierarchy: unknown key 'leters'; allowed are initials"):
        ks.load_policy({**policy().to_dict(), "columns": {"name": {"role": "quasi_identifier", "hierarchy": wrong}}})


@pytest.mark.usefixtures("new_kinds")
def test_a_new_output_kind_is_one_class_and_one_entry(backend: Database) -> None:
    backend.create("people", {"name": "text", "number": "integer"}, PEOPLE)
    columns = {"name": "identifier", "number": {"role": "quasi_identifier", "output": "upper_end"}}
    given = {"table": "people", "publish": {"into": "people_anon"}, "privacy": {"k": 2}, "columns": columns}
    ks.anonymize(backend.url, {**given, "algorithm": "mondrian"})
    assert sorted(backend.rows("people_anon")) == [(14.0,)] * 3 + [(31.0,)] * 3
    with pytest.raises(ks.RequestError, match="output: upper_end is for algorithm: mondrian"):
        ks.anonymize(backend.url, {**given, "publish": {"into": "other"}})
    with pytest.raises(ks.RequestError, match=r"output: 'uper_end' is not allowed \(did you mean 'upper_end'\?\)"):
        ks.load_policy({**given, "columns": {"number": {"role": "quasi_identifier", "output": "uper_end"}}})
