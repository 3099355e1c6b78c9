"""Random small tables with every privacy model, alone and combined: verdicts, searches, releases and checks compared with oracles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import models_oracle, mondrian_oracle
from support.comparisons import near
from support.databases import Database, canonical
from support.lattice_oracle import LATTICE_ALGORITHMS
from support.lattice_oracle import Lattice as Enumerated
from support.oracle import Unsolvable, anonymize, classes_at, read_case

import kanon_sql as ks
import kanon_sql.stages.evaluate.cuts
from kanon_sql.artifacts import CutSearch
from kanon_sql.backends import connect
from kanon_sql.errors import NoSolutionError, RequestError
from kanon_sql.labels.levels import goal_of, lattice_of
from kanon_sql.lattice import is_at_most
from kanon_sql.policy.file import load_policy
from kanon_sql.stages.count.frequencies import count_combinations
from kanon_sql.stages.evaluate import NodeEvaluator
from kanon_sql.stages.profile.source import describe_source, profile_source
from kanon_sql.stages.search import search
from kanon_sql.workspace import Workspace

COLUMNS = {"age": "integer", "zip": "text", "ill": "text", "cost": "integer"}
TREE = {"acute": {"flu": ["flu", "Flu"], "gut": ["ulcer", "gastritis"]}, "chronic": ["asthma", "gout"]}
ILLS = ["flu", "Flu", "ulcer", "gastritis", "asthma", "gout", None]
HALVES = {"tree": {"low": ["a", "b"], "high": ["c", "d"]}}
COSTS = ["geniloss", "geniloss", "entropy", "dm", "classes", "ncp"]
Case = tuple[list[tuple[Any, ...]], dict[str, Any]]


@st.composite
def rules(draw: st.DrawFn) -> dict[str, Any]:
    """Draw one model of one column, of any kind."""
    column = draw(st.sampled_from(["ill", "cost"]))
    entry: dict[str, Any] = {"column": column}
    model = draw(st.sampled_from(["l_diversity", "t_closeness", "alpha_k", "delta_disclosure", "beta_likeness"]))
    share = st.sampled_from([0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75])
    match model:
        case "l_diversity":
            entry |= {"kind": draw(st.sampled_from(["distinct", "entropy", "recursive"])), "l": draw(st.integers(2, 3))}
            if entry["kind"] == "recursive":
                entry["c"] = draw(st.sampled_from([1, 1.5, 3]))
        case "t_closeness":
            kinds = ["equal", "ordered", "hierarchical"] if column == "ill" else ["equal", "ordered"]
            entry |= {"kind": draw(st.sampled_from(kinds)), "t": draw(share)}
        case "alpha_k":
            entry |= {"alpha": draw(share.filter(lambda alpha: alpha >= 0.3)), "k": draw(st.integers(1, 3))}
        case "delta_disclosure":
            entry["delta"] = draw(st.sampled_from([0.6, 1, 1.5, 2.5]))
        case _:
            entry |= {"beta": draw(st.sampled_from([0.2, 0.7, 1, 2])), "kind": draw(st.sampled_from(["basic", "enhanced"]))}
    if entry.get("kind") != "hierarchical" and draw(st.integers(0, 2)) == 0:
        entry |= {"level": 1} if column == "ill" else {"bins": draw(st.integers(2, 3))}
    return {model: [entry]}


@st.composite
def privacy(draw: st.DrawFn) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for rule in draw(st.lists(rules(), min_size=1, max_size=3)):
        for model, entries in rule.items():
            found[model] = [*found.get(model, []), *entries]
    if draw(st.booleans()):
        found["k"] = draw(st.integers(2, 3))
    if draw(st.integers(0, 3)) == 0:
        found["average_risk"] = draw(st.sampled_from([0.1, 0.25, 0.4]))
    return found


@st.composite
def cases(draw: st.DrawFn) -> Case:
    few = draw(st.booleans())
    ages = [1, 2, 12, 13, 25] if not few else [1, 12]
    row = st.tuples(
        st.sampled_from([*ages, None]),
        st.sampled_from(["a", "b", "c", "d"]),
        st.sampled_from(ILLS[:3] if few else ILLS),
        st.sampled_from([3, 5, 8, 8, 21, 40, None]),
    )
    rows = draw(st.lists(row, min_size=3, max_size=24))
    policy: dict[str, Any] = {
        "table": "clinic",
        "publish": {"into": "clinic_anon"},
        "privacy": draw(privacy()),
        "suppression": draw(st.sampled_from([0, 0, 2, 0.3])),
        "columns": {
            "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [10, 20]}},
            "zip": {"role": "quasi_identifier", "hierarchy": HALVES},
            "ill": {"role": "sensitive", "hierarchy": {"tree": TREE}},
            "cost": {"role": "sensitive", "accept_unique": True},
        },
    }
    used = {entry["column"] for entries in policy["privacy"].values() if isinstance(entries, list) for entry in entries}
    if "ill" not in used:
        policy["columns"]["ill"] = "sensitive"
    return rows, policy


@contextmanager
def created(database: Database, table: str, columns: dict[str, str], rows: list[tuple[Any, ...]]) -> Iterator[None]:
    """Create a table, and drop it and its release afterwards."""
    database.create(table, columns, rows)
    try:
        yield
    finally:
        database.drop("clinic_anon")
        database.drop(table)


def require_equal_check(database: Database, policy: dict[str, Any], report: ks.AnonymizeReport) -> None:
    """Require that `check` confirms the release with the values of the report."""
    checked = ks.check(database.url, "clinic_anon", policy=policy, source="clinic")
    assert checked.holds
    assert checked.to_dict()["privacy"] == report.to_dict()["privacy"]


@settings(max_examples=30)
@given(case=cases())
def test_every_algorithm_finds_what_enumeration_finds(database: Database, case: Case) -> None:
    rows, given_policy = case
    wanted = Enumerated(COLUMNS, rows, given_policy, files={})
    policy = load_policy(given_policy)
    with created(database, "clinic", COLUMNS, rows), Workspace(connect(database.url), "read") as workspace:
        profile = profile_source(workspace, describe_source(workspace, policy.source), policy)
        frequencies = count_combinations(workspace, profile)
        lattice, allowed = lattice_of(frequencies, policy), policy.suppression.allowed_rows(len(rows))
        exact = NodeEvaluator(workspace, frequencies, policy.models, goal_of(frequencies, policy))
        verdicts = {verdict.node: verdict for verdict in exact.verdicts(list(wanted.nodes))}
        assert {node: verdict.failing_rows for node, verdict in verdicts.items()} == {
            node: judged.failing_rows for node, judged in wanted.nodes.items()
        }
        assert {node for node, verdict in verdicts.items() if verdict.is_within(allowed)} == wanted.accepted
        for algorithm in LATTICE_ALGORITHMS:
            evaluator = NodeEvaluator(workspace, frequencies, policy.models, goal_of(frequencies, policy), allowed_rows=allowed)
            if not wanted.accepted:
                with pytest.raises(NoSolutionError):
                    search(algorithm, lattice, evaluator, allowed)
                continue
            reported = {} if evaluator.inherits else {v.node: v.failing_below_rows for v in evaluator.verdicts(list(wanted.nodes))}
            for (above, failing_below), (node, judged) in product(reported.items(), wanted.nodes.items()):
                assert judged.failing_rows >= failing_below or not is_at_most(node, above)
            solution = search(algorithm, lattice, evaluator, allowed)
            assert solution.assignment.levels == (wanted.lowest_best if algorithm == "samarati" else wanted.best)(["geniloss"]), algorithm
            assert solution.verdict == verdicts[solution.assignment.levels]
            assert solution.costs["geniloss"] == near(wanted.nodes[solution.assignment.levels].values["geniloss"])


@settings(max_examples=25)
@given(case=cases(), algorithm=st.sampled_from(["datafly", "auto"]))
def test_releases_satisfy_the_models_and_report_their_values(database: Database, case: Case, algorithm: str) -> None:
    rows, given_policy = case
    policy = {**given_policy, "algorithm": algorithm}
    with created(database, "clinic", COLUMNS, rows):
        try:
            report = ks.anonymize(database.url, policy)
        except (NoSolutionError, RequestError):
            assert_unsolvable(rows, policy, algorithm)
            return
        if algorithm == "datafly":
            wanted = anonymize(COLUMNS, rows, policy, files={})
            published = Counter(database.rows("clinic_anon"))
            assert published == Counter(tuple(canonical(value) for value in row) for row in wanted.rows)
            assert report.utility["geniloss"] == near(wanted.geniloss)
        judge_release(rows, policy, report)
        require_equal_check(database, policy, report)


def assert_unsolvable(rows: list[tuple[Any, ...]], policy: dict[str, Any], algorithm: str) -> None:
    if algorithm == "datafly":
        with pytest.raises(Unsolvable):
            anonymize(COLUMNS, rows, policy, files={})
    else:
        found = read_case(COLUMNS, rows, policy, {})
        assert len(rows) < found.k or not Enumerated(COLUMNS, rows, policy, files={}).accepted


def judge_release(rows: list[tuple[Any, ...]], policy: dict[str, Any], report: Any) -> None:
    """Require that every published class satisfies every model and that the report shows the worst measured values."""
    found = read_case(COLUMNS, rows, policy, {})
    rules = models_oracle.read_rules(COLUMNS, rows, policy, {})
    node = tuple(report.levels.values())
    kept = [members for members in classes_at(found, node).values() if not rules.fails(members)]
    assert rules.holds_as_whole(len(kept), sum(map(len, kept)))
    assert report.published_rows == sum(map(len, kept))
    reported = report.to_dict()["privacy"]
    assert reported["k"] == min(map(len, kept), default=None)
    for model, kind, column, worst in worst_measures(rules, kept):
        entries = [entry["reached"] for entry in reported[model] if entry["column"] == column and entry.get("kind") == kind]
        assert near(worst) in entries


def worst_measures(rules: models_oracle.Rules, kept: list[list[tuple[Any, ...]]]) -> Iterator[tuple[str, str | None, str, Any]]:
    for rule in rules.rules:
        measures = [rule.measure(members) for members in kept]
        least = rule.model == "l_diversity" and rule.kind != "recursive"
        worst = (min if least else max)((m for m in measures if m is not None), default=None)
        if worst is not None and rule.model == "l_diversity" and rule.kind == "entropy":
            worst = 2 ** float(worst)
        yield rule.model, rule.kind or None, rule.entry["column"], worst


@settings(max_examples=25)
@given(case=cases(), mode=st.sampled_from(["strict", "relaxed"]), many=st.sampled_from(mondrian_oracle.MANY))
def test_mondrian_cuts_what_the_recursion_cuts(database: Database, case: Case, mode: str, many: tuple[int, int]) -> None:
    rows, given_policy = case
    policy = {**given_policy, "algorithm": "mondrian", "mondrian": {"mode": mode}}
    rules = models_oracle.read_rules(COLUMNS, rows, policy, {})
    with created(database, "clinic", COLUMNS, rows):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kanon_sql.stages.evaluate.cuts, "MANY_COMBINATIONS", many[0])
            patch.setattr(kanon_sql.stages.evaluate.cuts, "MANY_REGIONS", many[1])
            try:
                report = ks.anonymize(database.url, policy)
            except (NoSolutionError, RequestError) as refused:
                together = "with equal labels are one class" in str(refused)
                assert together or len(rows) < rules.k or rules.fails(rows) or not rules.holds_as_whole(1, len(rows))
                return
        wanted = mondrian_oracle.partition(COLUMNS, rows, policy, {})
        assert isinstance(report.solution.search, CutSearch)
        assert report.solution.search.regions == len(wanted.regions)
        assert report.solution.search.cuts == tuple(wanted.cuts)
        # Rows with equal values in all models are interchangeable when a cut splits them.
        published = database.rows("clinic_anon")
        numbers = [number for members in wanted.members for number in members]
        codes = mondrian_oracle.sensitive_codes(rows, rules)
        assert Counter(row[2:] for row in published) == Counter(tuple(map(canonical, row[2:])) for row in rows)
        assert Counter(
            (row[:2], found) for row, found in zip(published, mondrian_oracle.sensitive_codes(published, rules), strict=True)
        ) == (Counter((tuple(map(canonical, cells)), codes[number]) for cells, number in zip(wanted.cells, numbers, strict=True)))
        require_equal_check(database, policy, report)


VISITS = {"age": "integer", "zip": "text", "ill": "text", "cost": "integer", "person": "text"}


@st.composite
def visits(draw: st.DrawFn) -> Case:
    """The same with several rows per person and rows without a person; the person's column is dropped."""
    rows, policy = draw(cases())
    persons = draw(st.lists(st.sampled_from(["p", "P", "q", "r", "s", "t", "u", None]), min_size=len(rows), max_size=len(rows)))
    counted = [(*row, person) for row, person in zip(rows, persons, strict=True)]
    limit, unit = draw(st.sampled_from([policy["suppression"], 0.5])), draw(st.sampled_from(["row", "entity"]))
    changes = {"entity": "person", "suppression": {"limit": limit, "unit": unit}, "cost": draw(st.sampled_from(COSTS))}
    return counted, {**policy, **changes, "columns": {**policy["columns"], "person": "identifier"}}


@settings(max_examples=25)
@given(case=visits(), algorithm=st.sampled_from(["datafly", "auto", *LATTICE_ALGORITHMS, "strict", "relaxed"]))
def test_persons_are_counted_instead_of_rows(database: Database, case: Case, algorithm: str) -> None:
    rows, given_policy = case
    cuts = algorithm in ("strict", "relaxed")
    policy = {**given_policy, **({"algorithm": "mondrian", "mondrian": {"mode": algorithm}} if cuts else {"algorithm": algorithm})}
    rules = models_oracle.read_rules(VISITS, rows, policy, {})
    policy["table"] = "visits"
    with created(database, "visits", VISITS, rows):
        try:
            report = ks.anonymize(database.url, policy)
        except (NoSolutionError, RequestError) as refused:
            if cuts:
                together = "with equal labels are one class" in str(refused)
                assert together or rules.fails(rows) or not rules.holds_as_whole(1, len(rows))
            else:
                assert (
                    not any(person for *_, person in rows)
                    or not Enumerated(VISITS, rows, policy, files={}).accepted
                    or algorithm == "datafly"
                )
            return
        published = database.rows("clinic_anon")
        assert {len(row) for row in published} <= {4}
        if cuts:
            wanted = mondrian_oracle.partition(VISITS, rows, policy, {})
            assert isinstance(report.solution.search, CutSearch)
            assert (report.solution.search.regions, report.solution.search.cuts) == (len(wanted.regions), tuple(wanted.cuts))
            assert Counter(row[2:] for row in published) == Counter(tuple(map(canonical, row[2:4])) for row in rows)
            return
        found = read_case(VISITS, rows, policy, {})
        node = tuple(report.levels.values())
        kept = found.kept(classes_at(found, node))
        assert found.accepts(classes_at(found, node))
        if algorithm != "datafly":
            enumerated = Enumerated(VISITS, rows, policy, files={})
            assert node == (enumerated.lowest_best if algorithm == "samarati" else enumerated.best)([policy["cost"]])
            assert report.utility[policy["cost"]] == near(enumerated.nodes[node].values[policy["cost"]])
        assert len(published) == report.published_rows == sum(map(len, kept))
        assert Counter(row[2:] for row in published) == Counter(tuple(map(canonical, row[2:4])) for members in kept for row in members)
        assert report.k == min(map(rules.size, kept), default=None)
