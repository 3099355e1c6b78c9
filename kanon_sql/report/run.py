"""The story of the run, as plain values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from kanon_sql.artifacts import Dependency, Earlier, Profile, Reached, Recoding, Release, Solution
from kanon_sql.artifacts.utility import Utility
from kanon_sql.common.spelling import many
from kanon_sql.models import Rules
from kanon_sql.policy import Policy
from kanon_sql.report.notebook import html_result
from kanon_sql.report.privacy import judged_models, price_story, privacy_story, reached_by, story_of
from kanon_sql.report.search import notes_on, search_story
from kanon_sql.tables import TableName
from kanon_sql.workspace import Stage, Statement, Workspace


@dataclass(frozen=True)
class InPlaceReport:
    """What happened to the original rows: what was lost with them, where copies of them remain."""

    run_id: str
    backup: str | None
    lost: tuple[str, ...]
    scrubbed: bool
    remaining: tuple[str, ...]
    not_ours: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "run_id": self.run_id,
            "backup": self.backup,
            "lost": list(self.lost),
            "scrubbed": self.scrubbed,
            "remaining": list(self.remaining),
            "not_ours": list(self.not_ours),
        }


@dataclass(frozen=True)
class AnonymizeReport:
    """What `anonymize` did: the solution, what it costs, what was published."""

    policy: Policy
    levels: dict[str, int]
    heights: dict[str, int]
    solution: Solution
    rows: int
    target: TableName
    published_rows: int
    suppressed_rows: int
    classes: int
    k: int | None
    utility: Utility
    status: Literal["published", "dry_run", "unchanged"]
    warnings: tuple[str, ...]
    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    in_place: InPlaceReport | None
    stages: tuple[Stage, ...] = field(repr=False)
    statements: tuple[Statement, ...] = field(repr=False)
    picture: str | None = field(default=None, repr=False)  # as SVG, where it was asked for
    privacy: dict[str, Any] = field(default_factory=dict)  # what each model reached
    reached: tuple[Reached, ...] = ()
    dependencies: tuple[Dependency, ...] = ()  # kept columns that depend on generalized quasi-identifiers

    @property
    def dry_run(self) -> bool:
        """Whether nothing was published because that was not asked for."""
        return self.status == "dry_run"

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, as `--json` prints it."""
        solution = self.solution
        return {
            "status": self.status,
            "solution": {"levels": self.levels},
            **search_story(solution, list(self.heights)),
            "privacy": {"k": self.k, **self.privacy},
            "price_of_models": price_story(solution),
            "utility": dict(self.utility),
            "before": {
                "rows": self.rows,
                "classes": solution.before.classes,
                "smallest_class": solution.before.smallest_class,
                "unique_rows": solution.before.unique_rows,
            },
            "published": {
                "table": str(self.target),
                "rows": self.published_rows,
                "suppressed": self.suppressed_rows,
                "classes": self.classes,
            },
            "columns": {"generalized": list(self.heights), "kept": list(self.kept), "dropped": list(self.dropped)},
            "in_place": self.in_place.to_dict() if self.in_place else None,
            "dry_run": self.dry_run,
            "dependencies": [dependency.to_dict() for dependency in self.dependencies],
            "warnings": list(self.warnings),
            "policy": self.policy.to_dict(),
            "stages": [{"name": s.name, "seconds": round(s.seconds, 6), "statements": s.statements} for s in self.stages],
        }

    def to_json(self) -> str:
        """The report as one JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def _repr_html_(self) -> str:
        title = f"{self.target}: {self.published_rows:,} of {self.rows:,} rows in {many(self.classes, 'class')}, k = {self.k}"
        notes = [", ".join(f"{name} {value:.4g}" for name, value in self.utility.items() if isinstance(value, int | float)), *self.warnings]
        rows = [(name, level, self.heights[name]) for name, level in self.levels.items()]
        return html_result(title, ("quasi-identifier", "level", "of"), rows, notes)


@dataclass(frozen=True)
class CheckReport:
    """What `check` found in a table."""

    table: TableName
    release: Release
    rules: Rules
    reference: TableName | None = None  # where the distribution of sensitive values was taken from
    persons: str | None = None  # the column by which persons were counted instead of rows
    condition: bool = False  # whether of the reference only those rows were read that the policy's `where` reads

    @property
    def required_k(self) -> int:
        """The k that was asked for."""
        return self.rules.k

    @property
    def holds(self) -> bool:
        """Whether the table satisfies the policy."""
        return self.release.holds

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, as `--json` prints it."""
        found = self.release
        return {
            "holds": self.holds,
            "privacy": privacy_story(found.smallest_class, found.reached, self.rules, found.classes, found.rows),
            "failing": {"classes": found.failing_classes, "rows": found.failing_rows},
            "table": str(self.table),
            "rows": found.rows,
            "classes": found.classes,
            **({"models": judged_models(found.reached), "unknown_rows": found.unknown_rows} if found.reached else {}),
            **({"reference": str(self.reference), "reference_condition": self.condition} if self.reference else {}),
            **({"persons": self.persons} if self.persons else {}),
        }

    def to_json(self) -> str:
        """The report as one JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def _repr_html_(self) -> str:
        title = f"{self.table} is {'' if self.holds else 'not '}{self.required_k}-anonymous"
        found = self.release
        figures = {"rows": found.rows, "classes": found.classes, "smallest class": found.smallest_class, "failing rows": found.failing_rows}
        return html_result(title, ("", "count"), figures.items())


SQL_MARK = "-- Statements of a run of kanon_sql, in order.\n\n"  # how a file of ours begins


def write_statements(statements: tuple[Statement, ...]) -> str:
    """Every statement run, in order, as one SQL script to read."""
    return SQL_MARK + "".join(f"-- {s.stage}, {s.seconds:.3f} s\n{s.sql};\n\n" for s in statements)


@dataclass(frozen=True)
class RunResult:
    """What a run found and published, for its report."""

    policy: Policy
    profile: Profile
    solution: Solution
    recoding: Recoding
    utility: Utility
    target: TableName
    dependencies: tuple[Dependency, ...]
    warnings: tuple[str, ...]
    picture: str | None


def report_run(result: RunResult, workspace: Workspace, *, dry_run: bool, in_place: InPlaceReport | None = None) -> AnonymizeReport:
    """Return the report of a run that has ended."""
    policy, profile, solution, recoding = result.policy, result.profile, result.solution, result.recoding
    names = [q.column.name for q in profile.quasi_identifiers]
    notes = notes_on(solution, policy)
    return AnonymizeReport(
        policy=policy if profile.ranked else policy.with_hierarchies({q.column.name: q.hierarchy for q in profile.quasi_identifiers}),
        levels=dict(zip(names, solution.assignment.levels, strict=False)),  # a table has none
        heights=dict(zip(names, recoding.frequencies.lattice.heights, strict=True)),
        solution=solution,
        rows=recoding.frequencies.rows,
        target=policy.source.sibling(result.target.table) if len(policy.target.parts) == 1 else policy.target,
        kept=tuple(column.name for column in profile.kept),
        dropped=profile.dropped,
        published_rows=recoding.published_rows,
        suppressed_rows=recoding.suppressed_rows,
        classes=recoding.classes,
        k=recoding.smallest_class,
        utility=result.utility,
        status="dry_run" if dry_run else "published",
        warnings=(*profile.warnings, *notes, *result.warnings),
        in_place=in_place,
        stages=tuple(workspace.record.stages),
        statements=tuple(workspace.record.statements),
        picture=result.picture,
        privacy=story_of(recoding, policy.models),
        reached=reached_by(recoding, policy.models),
        dependencies=result.dependencies,
    )


def unchanged(
    policy: Policy, table: TableName, earlier: Earlier, workspace: Workspace, in_place: InPlaceReport, warnings: Sequence[str]
) -> AnonymizeReport:
    """The story of a run that had nothing to do, in the figures of the run before it."""
    return AnonymizeReport(
        policy=policy,
        levels=dict(zip(earlier.heights, earlier.solution.assignment.levels, strict=False)),
        heights=earlier.heights,
        solution=earlier.solution,
        rows=earlier.rows,
        target=table,
        kept=(),
        dropped=(),
        published_rows=earlier.rows - earlier.solution.verdict.failing_rows,
        suppressed_rows=earlier.solution.verdict.failing_rows,
        classes=earlier.classes,
        k=earlier.k,
        utility=earlier.utility,
        status="unchanged",
        privacy=earlier.privacy,
        warnings=tuple(warnings),
        in_place=in_place,
        stages=tuple(workspace.record.stages),
        statements=tuple(workspace.record.statements),
    )
