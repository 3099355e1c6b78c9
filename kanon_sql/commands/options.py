"""The options of a run in addition to its policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kanon_sql.algorithms import ALGORITHMS, names_with
from kanon_sql.artifacts import Profile, Recoding
from kanon_sql.artifacts.plan import Plan
from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy
from kanon_sql.stages.evaluate import load_splits
from kanon_sql.stages.measure.picture import draw_classes, require_picturable
from kanon_sql.stages.publish.staging import release_types
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class RunOptions:
    """The levels or the plan to publish, and whether to draw the classes."""

    levels: Mapping[str, int] | None = None
    plan: Plan | None = None
    picture: bool = False
    keeps_cuts: bool = False  # to make a plan, if the algorithm makes cuts
    compares: bool = True  # with k alone, to report what other models cost

    def require_possible(self, policy: Policy) -> None:
        """Raise an error if the policy's algorithm does not support given levels, this kind of plan, or a picture."""
        algorithm = ALGORITHMS[policy.algorithm]
        if self.plan is not None and self.levels is not None:
            raise RequestError("a plan already has levels; pass either a plan or levels")
        if self.levels is not None and not algorithm.chooses_levels:
            raise RequestError(f"{algorithm.name} does not choose levels; remove the levels, or choose another algorithm")
        if self.plan is not None:
            holds = "levels" if self.plan.cuts is None else "cuts"
            if holds != algorithm.plans:
                fitting = names_with(lambda other: other.plans == holds)
                raise RequestError(
                    f"the plan holds {holds}, which algorithm: {algorithm.name} does not use; choose another algorithm ({fitting}), "
                    "or solve again"
                )
        if self.picture and not algorithm.draws:
            drawn = names_with(lambda other: other.draws)
            raise RequestError(
                f"the classes of algorithm: {algorithm.name} cannot be drawn; write algorithm: {drawn}, or run without the picture"
            )

    def require_fitting(self, workspace: Workspace, policy: Policy, profile: Profile) -> None:
        """Raise an error if the plan is not for this policy and table, or if a picture cannot be drawn."""
        if self.picture:
            require_picturable(q.column for q in profile.quasi_identifiers)
        if self.plan is not None:
            self.plan.require_unchanged(policy, profile)
            self.plan.require_types(release_types(workspace, profile, self.plan.levels))

    def splits(self, workspace: Workspace, profile: Profile) -> dict[str, TableName]:
        """Return, for each column, the table of values at which the plan cuts it; they are counted as leaves."""
        cuts = self.plan.cuts if self.plan is not None else None
        return load_splits(workspace, [q.column for q in profile.quasi_identifiers], cuts) if cuts else {}

    def drawn(self, workspace: Workspace, recoding: Recoding, policy: Policy) -> str | None:
        """Return the picture of the classes, or None if the options do not ask for one."""
        return draw_classes(workspace, recoding, policy.privacy.least_k) if self.picture else None


DEFAULT_OPTIONS = RunOptions()
