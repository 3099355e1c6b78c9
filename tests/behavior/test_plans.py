"""The plans of row stores: no statement of a run compares many rows with many rows."""

from __future__ import annotations

import datetime
import random
from typing import Any

import pytest
from support.databases import Database
from support.plans import recorded

import kanon_sql as ks

ROWS = 20_000
COLUMNS = {"person": "integer", "born": "date", "zip": "text", "sex": "text", "job": "text", "illness": "text", "cost": "integer"}
QUASI_IDENTIFIERS = {
    "born": {"dates": ["month", "year", "decade"]},
    "zip": {"mask": {"hide": [1, 2, 3, 4]}},
    "sex": "suppress",
    "job": {"mask": {"hide": [1]}},
}
MODELS = {
    "l_diversity": [{"column": "illness", "l": 2}],
    "t_closeness": [{"column": "cost", "t": 0.7, "kind": "ordered", "bins": 10}],
}
VARIANTS: dict[str, dict[str, Any]] = {
    "k": {"privacy": {"k": 4}},
    "models": {"privacy": {"k": 4, **MODELS}},
    "persons": {"privacy": {"k": 4}, "entity": "person", "suppression": {"limit": 0.05, "unit": "entity"}},
    "mondrian": {"privacy": {"k": 20}, "algorithm": "mondrian"},
    "mondrian_models": {"privacy": {"k": 20, **MODELS}, "algorithm": "mondrian"},
}


def patients() -> list[tuple[Any, ...]]:
    """Return rows of which nearly every one is a separate combination."""
    draw, first = random.Random(1), datetime.date(1980, 1, 1)
    return [
        (
            number // 2,
            first + datetime.timedelta(days=draw.randrange(8_000)),
            f"{draw.randrange(2_000) if number % 10 else draw.randrange(10_000, 100_000):05}",  # a tenth of the rows is suppressed
            draw.choice("fm"),
            f"{draw.choice('abcdefgh')}{draw.randrange(10)}",
            f"i{draw.randrange(8)}",
            draw.randrange(40),
        )
        for number in range(ROWS)
    ]


def policy(variant: str) -> dict[str, Any]:
    chosen = VARIANTS[variant]
    divides = chosen.get("algorithm") == "mondrian"
    quasi_identifiers = {
        name: {"role": "quasi_identifier", **({} if divides else {"hierarchy": rule})} for name, rule in QUASI_IDENTIFIERS.items()
    }
    others = {"illness": "sensitive", "cost": "sensitive", "person": "identifier"}
    return {
        "table": "t",
        "publish": {"into": "t_anon"},
        **({} if divides else {"suppression": 0.15}),
        **chosen,
        "columns": {**quasi_identifiers, **others},
    }


@pytest.mark.engines("postgresql", "mariadb")
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_statement_compares_many_rows_with_many_rows(backend: Database, variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    backend.create("t", COLUMNS, patients())
    backend.execute({"postgresql": "analyze t", "mariadb": "analyze table t"}[backend.name])
    with recorded(monkeypatch, backend.name) as plans:
        report = ks.anonymize(backend.url, policy(variant))
    assert report.published_rows > ROWS / 2
    assert len(plans.templates) > 15
    assert plans.quadratic() == [], sorted({loop.template for loop in plans.quadratic()})
