"""The report on a solution that is not published, with its plan."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from kanon_sql.artifacts import Dependency, FrequencyTable, Profile, Solution
from kanon_sql.artifacts.cut_rules import CutRule
from kanon_sql.artifacts.plan import Plan, hashes_of
from kanon_sql.common.spelling import many
from kanon_sql.policy import Policy
from kanon_sql.report.privacy import price_to_dict
from kanon_sql.report.search import describe_search, notes_on, search_to_dict
from kanon_sql.report.summary import Summarized, figure, k_required, levels_line, warnings_line
from kanon_sql.workspace import Stage, Statement, Workspace


@dataclass(frozen=True, repr=False)
class SolveReport(Summarized):
    """The result of `solve`: the solution, its expected results, and the plan to publish it."""

    policy: Policy
    plan: Plan
    heights: dict[str, int]
    solution: Solution
    warnings: tuple[str, ...]
    stages: tuple[Stage, ...] = field(repr=False)
    statements: tuple[Statement, ...] = field(repr=False)
    dependencies: tuple[Dependency, ...] = ()

    @property
    def levels(self) -> dict[str, int]:
        """Return the solution's level of every quasi-identifier."""
        return self.plan.levels

    def summary(self) -> list[str]:
        """Return what the solution would publish, and how it was found."""
        expected = self.plan.expected
        costs = ", ".join(f"{name} {figure(value)}" for name, value in expected["cost"].items())
        return [
            f"{self.policy.table}: the solution would publish {expected['published']:,} of {expected['rows']:,} rows in "
            f"{many(expected['classes'], 'class')}; {many(expected['suppressed'], 'row')} suppressed.",
            f"k reached: {expected['k']} ({k_required(self.policy)})." + (f" Cost: {costs}." if costs else ""),
            *([levels_line(self.levels, self.heights)] if self.levels else []),
            describe_search(self.solution).splitlines()[0],
            *warnings_line(self.warnings),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, as `--json` prints it."""
        before = self.solution.before
        return {
            "table": self.plan.table,
            "solution": {"levels": self.levels},
            **search_to_dict(self.solution, list(self.heights)),
            "types": self.plan.types,
            "expected": self.plan.expected,
            "before": {
                "rows": self.plan.expected["rows"],
                "classes": before.classes,
                "smallest_class": before.smallest_class,
                "unique_rows": before.unique_rows,
            },
            "price_of_models": price_to_dict(self.solution),
            "hashes": self.plan.hashes,
            "dependencies": [dependency.to_dict() for dependency in self.dependencies],
            "warnings": list(self.warnings),
            "policy": self.policy.to_dict(),
            "stages": [{"name": s.name, "seconds": round(s.seconds, 6), "statements": s.statements} for s in self.stages],
        }

    def to_json(self) -> str:
        """Return the report as one JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)


def report_solution(
    policy: Policy, profile: Profile, frequencies: FrequencyTable, solution: Solution, workspace: Workspace,
    types: dict[str, str], cuts: tuple[CutRule, ...] | None = None,
    dependencies: tuple[Dependency, ...] = (), warnings: tuple[str, ...] = (),
) -> SolveReport:  # fmt: skip
    """Return the report on a completed search, with its plan."""
    if not profile.ranked:
        policy = policy.with_hierarchies({q.column.name: q.hierarchy for q in profile.quasi_identifiers})
    names = [q.column.name for q in profile.quasi_identifiers]
    plan = Plan(
        table=policy.to_dict()["table"],
        algorithm=solution.algorithm,
        levels=dict(zip(names, solution.assignment.levels, strict=False)),  # a table assignment has none
        types=types,
        expected=_expected(frequencies, solution),
        hashes=hashes_of(policy, profile),
        policy=policy.to_dict(),
        cuts=cuts,
        unfrozen=solution.search.unplannable,
    )
    notes = notes_on(solution, policy)
    if plan.unfrozen:
        notes = (*notes, f"this solution cannot be saved as a plan: {plan.unfrozen}")
    elif solution.search.plan_note:
        notes = (*notes, solution.search.plan_note)
    heights = dict(zip(names, frequencies.lattice.heights, strict=True))
    all_warnings = (*profile.warnings, *notes, *warnings)
    return SolveReport(
        policy, plan, heights, solution, all_warnings, tuple(workspace.record.stages), tuple(workspace.record.statements), dependencies
    )


def _expected(frequencies: FrequencyTable, solution: Solution) -> dict[str, Any]:
    verdict = solution.verdict
    return {
        "rows": frequencies.rows,
        "published": frequencies.rows - verdict.failing_rows,
        "suppressed": verdict.failing_rows,
        "classes": verdict.classes - verdict.failing_classes,
        "k": verdict.smallest_published,
        "cost": dict(solution.costs),
        "optimal": solution.search.optimal,
    }
