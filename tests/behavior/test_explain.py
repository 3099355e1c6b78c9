"""Explanations on every engine, compared with every node of the lattice row by row; from one count of the source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.databases import Database
from support.people import enumerated, load, make_people, policy_of_few, write_education

import kanon_sql as ks
from kanon_sql.cli import run

FEW = ("age", "smoker", "education")


def few(**changes: Any) -> dict[str, Any]:
    """Return the people with three quasi-identifiers: 5 · 2 · 3 nodes."""
    return policy_of_few(FEW, **changes)


@pytest.fixture
def people(backend: Database) -> list[tuple[Any, ...]]:
    return make_people(backend, 120)


def test_explanations_match_the_nodes(backend: Database, people: list[tuple[Any, ...]], tmp_path: Path) -> None:
    given = few(suppression=0.05, privacy={"k": 4})
    given["columns"]["age"] = {**given["columns"]["age"], "weight": 2}
    wanted = enumerated(people, given)
    report = ks.explain(backend.url, load(given, tmp_path))
    node = wanted.best(["geniloss"])
    assert tuple(report.levels.values()) == node
    assert node is not None
    assert report.loss == pytest.approx(wanted.nodes[node].values["geniloss"], rel=1e-9)
    assert sum(column.share for column in report.columns) == pytest.approx(1)
    weights = [float(weight) for weight in wanted.weights]
    assert sum(w * c.loss for w, c in zip(weights, report.columns, strict=True)) / 3 == pytest.approx(report.loss, rel=1e-9)
    lower = {place: column.lower for place, column in enumerate(report.columns) if column.lower is not None}
    assert set(lower) == {place for place, level in enumerate(node) if level}
    for place, reported in lower.items():
        assert reported is not None
        judged = wanted.nodes[(*node[:place], node[place] - 1, *node[place + 1 :])]
        assert (reported.holds, reported.failing_rows) == (judged.accepted, judged.failing_rows)
        assert reported.holds or set(reported.failing) == {"k_anonymity"}
    larger = enumerated(people, {**given, "privacy": {"k": 9}})
    best = larger.best(["geniloss"])
    k, told_larger = report.larger_k
    assert k == 9
    assert best is not None
    assert told_larger.levels is not None
    assert tuple(told_larger.levels.values()) == best
    assert told_larger.loss == pytest.approx(larger.nodes[best].values["geniloss"], rel=1e-9)
    assert told_larger.suppressed == larger.nodes[best].failing_rows


def test_one_quasi_identifier_less_is_the_search_without_it(backend: Database, people: list[tuple[Any, ...]], tmp_path: Path) -> None:
    given = few(suppression=0.05, privacy={"k": 4})
    report = ks.explain(backend.url, load(given, tmp_path))
    assert set(report.without) == set(FEW)
    for name, reported in report.without.items():
        less = {**given, "columns": {**given["columns"], name: "identifier"}}
        solved = ks.solve(backend.url, load(less, tmp_path))
        assert reported.levels == solved.levels
        assert reported.suppressed == solved.plan.expected["suppressed"]
        assert reported.loss == pytest.approx(solved.plan.expected["cost"]["geniloss"], rel=1e-9)
        assert (reported.loss or 0) <= reported.loss_now + 1e-12


def test_the_source_is_counted_once_without_leftovers(backend: Database, people: list[tuple[Any, ...]], tmp_path: Path) -> None:
    report = ks.explain(backend.url, load(few(cost=["dm", "geniloss"]), tmp_path))
    reading = [s.template for s in report.statements if "people" in s.sql and s.stage not in ("profile", "connect")]
    assert reading == ["count/combinations"]
    assert backend.tables() == {"people"}
    assert report.metric == "geniloss"  # of DM no quasi-identifier has a share


def test_fixed_levels_and_impossible_policies(backend: Database, people: list[tuple[Any, ...]], tmp_path: Path) -> None:
    given = few(suppression=0.05, privacy={"k": 4})
    wanted = enumerated(people, given)
    top = tuple(wanted.highest)
    report = ks.explain(backend.url, load(given, tmp_path), levels=dict(zip(FEW, top, strict=True)))
    assert any("The cost decides, not privacy" in line for line in report.binding())
    limited = few(suppression=0, privacy={"k": 116})
    assert ks.explain(backend.url, load(limited, tmp_path)).larger_k[1].levels is None
    with pytest.raises(ks.RequestError, match="explain needs levels"):
        ks.explain(backend.url, load({**given, "algorithm": "mondrian"}, tmp_path))


def test_the_command_explains_in_words(
    backend: Database, people: list[tuple[Any, ...]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_education(tmp_path)
    file, plan = folder / "people.yml", folder / "plan.yml"
    file.write_text(yaml.safe_dump(few(suppression=0.05, privacy={"k": 4}), sort_keys=False))
    assert run(["explain", backend.url, "--policy", str(file), "--quiet"]) == 0
    text = capsys.readouterr().out
    for part in (
        "k-anonymity is binding: it fails with",
        "With k = 9:",
        "Without age as a quasi-identifier",
        "rows would violate k-anonymity",
    ):
        assert part in text
    assert run(["solve", backend.url, "--policy", str(file), "-o", str(plan), "--quiet"]) == 0
    capsys.readouterr()
    assert run(["explain", backend.url, "--plan", str(plan), "--json", "--quiet"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["algorithm"] == "plan"
    assert set(document) >= {"solution", "metric", "loss", "binding", "columns", "larger_k", "without", "text"}
    assert run(["explain", backend.url]) == 1
    assert "Add --policy FILE" in capsys.readouterr().err
