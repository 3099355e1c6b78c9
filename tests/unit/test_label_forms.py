"""The meaning of labels of other tools."""

from __future__ import annotations

from datetime import date
from math import inf

import pytest

from kanon_sql.labels.forms import Label, Span, read_label
from kanon_sql.tables import ColumnKind


def day(text: str) -> float:
    return float((date.fromisoformat(text) - date(1970, 1, 1)).days)


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("34", Span(34, 34)),
        ("-2.50", Span(-2.5, -2.5)),
        ("[20,30]", Span(20, 30)),
        ("[20, 30)", Span(20, 30, high_open=True)),
        ("(20,30]", Span(20, 30, low_open=True)),
        ("[20-30]", Span(20, 30)),
        ("[-20--3)", Span(-20, -3, high_open=True)),
        ("[20;30]", Span(20, 30)),
        ("20..30", Span(20, 30)),
        ("20~30", Span(20, 30)),
        ("20-30", Span(20, 30)),
        ("<18", Span(high=18, high_open=True)),
        ("<=18", Span(high=18)),
        (">90", Span(low=90, low_open=True)),
        (">= 65", Span(low=65)),
        ("[1e3,inf)", Span(1000, inf, high_open=True)),
    ],
)
def test_ranges_of_numbers(text: str, span: Span) -> None:
    assert read_label(text, "integer") == Label(spans=(span,))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("2020-03", "2020-03-01", "2020-04-01"),
        ("2020-12", "2020-12-01", "2021-01-01"),
        ("2020-Q1", "2020-01-01", "2020-04-01"),
        ("2020", "2020-01-01", "2021-01-01"),
        ("2020s", "2020-01-01", "2030-01-01"),
        ("2000-2099", "2000-01-01", "2100-01-01"),
        ("2020-W11", "2020-03-09", "2020-03-16"),
    ],
)
def test_calendar_units(text: str, low: str, high: str) -> None:
    assert read_label(text, "date") == Label(spans=(Span(day(low), day(high), high_open=True),))


def test_dates_and_sets() -> None:
    first, last = day("2020-03-01"), day("2020-03-09")
    assert read_label("[2020-03-01,2020-03-09]", "date") == Label(spans=(Span(first, last),))
    assert read_label("[2020-03-01-2020-03-09)", "date") == Label(spans=(Span(first, last, high_open=True),))
    assert read_label("2020-03-01~2020-03-09", "date") == Label(spans=(Span(first, last),))
    assert read_label("{2020-03-01,2020-03-09}", "date") == Label(spans=(Span(first, first), Span(last, last)))
    assert read_label("{24, 29}", "decimal") == Label(spans=(Span(24, 24), Span(29, 29)))
    assert read_label("{red, blue}", "text") == Label(members=("red", "blue"))
    assert read_label("red~blue", "text") == Label(members=("red", "blue"))
    assert read_label("{true,false}", "boolean") == Label(members=(True, False))


@pytest.mark.parametrize(
    ("text", "kind"),
    [("teen", "integer"), ("[30,20]", "integer"), ("{24,x}", "integer"), ("2020-13", "date"), ("2020-W60", "date"), ("maybe", "boolean")],
)
def test_labels_that_cannot_be_parsed(text: str, kind: ColumnKind) -> None:
    assert read_label(text, kind) is None
