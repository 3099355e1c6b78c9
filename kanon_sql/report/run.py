"""The report of a run that publishes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from kanon_sql.artifacts import Dependency, Earlier, Profile, Reached, Recoding, Solution
from kanon_sql.artifacts.utility import Utility
from kanon_sql.common.spelling import many
from kanon_sql.policy import Policy
from kanon_sql.report.notebook import html_result
from kanon_sql.report.privacy import describe_average_risk, describe_reached, price_to_dict, reached_by, reached_to_dict
from kanon_sql.report.search import describe_search, notes_on, search_to_dict
from kanon_sql.report.summary import Summarized, k_required, levels_line, loss_line, warnings_line
from kanon_sql.tables import TableName
from kanon_sql.workspace import Stage, Statement, Workspace

STATUSES = {
    "dry_run": "Dry run: nothing was published.",
    "unchanged": "The table is unchanged since that run under the same policy. Nothing to do.",
}


@dataclass(frozen=True)
class InPlaceReport:
    """What happened to the original rows: objects dropped with them, and where copies of them remain."""

    run_id: str
    backup: str | None
    lost: tuple[str, ...]
    scrubbed: bool
    remaining: tuple[str, ...]
    not_ours: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the same as plain values."""
        return {
            "run_id": self.run_id,
            "backup": self.backup,
            "lost": list(self.lost),
            "scrubbed": self.scrubbed,
            "remaining": list(self.remaining),
            "not_ours": list(self.not_ours),
        }


@dataclass(frozen=True, repr=False)
class AnonymizeReport(Summarized):
    """The report of `anonymize`: the solution, its cost and the release."""

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
    picture: str | None = field(default=None, repr=False)  # as SVG, if requested
    privacy: dict[str, Any] = field(default_factory=dict)  # what each model reaches
    reached: tuple[Reached, ...] = ()
    dependencies: tuple[Dependency, ...] = ()  # kept columns that depend on generalized quasi-identifiers

    @property
    def dry_run(self) -> bool:
        """Whether this was a dry run, which publishes nothing."""
        return self.status == "dry_run"

    def published_lines(self) -> list[str]:
        """Return what was published, and the k before and after."""
        held, before = "would hold" if self.dry_run else "holds", self.solution.before
        return [
            f"{self.target} {held} {self.published_rows:,} of {self.rows:,} rows in {many(self.classes, 'class')}; "
            f"{many(self.suppressed_rows, 'row')} ({self.utility['suppression_rate']:.2%}) suppressed.",
            f"k reached: {self.k} ({k_required(self.policy)}). "
            f"Before: smallest class {before.smallest_class}, {many(before.unique_rows, 'unique row')}.",
        ]

    def summary(self) -> list[str]:
        """Return what was published, what it cost and how it was found."""
        lines = [*self.published_lines(), loss_line(self.utility), *describe_reached(self.reached)]
        lines += describe_average_risk(self.policy.models, self.privacy.get("average_risk"))
        lines += [levels_line(self.levels, self.heights)] if self.levels else []
        lines += [describe_search(self.solution).splitlines()[0]]
        lines += [STATUSES[self.status]] if self.status in STATUSES else []
        return [*lines, *warnings_line(self.warnings)]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, as `--json` prints it."""
        solution = self.solution
        return {
            "status": self.status,
            "solution": {"levels": self.levels},
            **search_to_dict(solution, list(self.heights)),
            "privacy": {"k": self.k, **self.privacy},
            "price_of_models": price_to_dict(solution),
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
        """Return the report as one JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def _repr_html_(self) -> str:
        title = f"{self.target}: {self.published_rows:,} of {self.rows:,} rows in {many(self.classes, 'class')}, k = {self.k}"
        notes = [", ".join(f"{name} {value:.4g}" for name, value in self.utility.items() if isinstance(value, int | float)), *self.warnings]
        rows = [(name, level, self.heights[name]) for name, level in self.levels.items()]
        return html_result(title, ("quasi-identifier", "level", "of"), rows, notes)


SQL_MARK = "-- Statements of a run of kanon_sql, in order.\n\n"  # the beginning of a file that a run may overwrite


def write_statements(statements: tuple[Statement, ...]) -> str:
    """Return every statement that was run, in order, as one SQL script."""
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
        privacy=reached_to_dict(recoding, policy.models),
        reached=reached_by(recoding, policy.models),
        dependencies=result.dependencies,
    )


def unchanged(
    policy: Policy, table: TableName, earlier: Earlier, workspace: Workspace, in_place: InPlaceReport, warnings: Sequence[str]
) -> AnonymizeReport:
    """Return the report of a run that had nothing to do, with the figures of the earlier run."""
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
