"""The steps that all runs share: count, search, recode and measure, then verify what was staged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from kanon_sql.artifacts import FrequencyTable, Profile, Recoding, Solution, StagedTable
from kanon_sql.artifacts.utility import Utility
from kanon_sql.commands.dependent import Judged, find_dependent, judge_dry_run, judge_staged
from kanon_sql.commands.limits import require_risk_of_dry_run, require_utility
from kanon_sql.commands.options import RunOptions
from kanon_sql.commands.problems import Problems
from kanon_sql.commands.solution import find_solution
from kanon_sql.policy import Policy
from kanon_sql.stages.count.frequencies import count_combinations
from kanon_sql.stages.measure.run import measure
from kanon_sql.stages.profile.dependencies import Dependent
from kanon_sql.stages.publish.staging import drop_person
from kanon_sql.stages.recode.recoding import recode
from kanon_sql.stages.verify import verify_staged
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class Run:
    """One run: its workspace, its policy and its options."""

    workspace: Workspace
    policy: Policy
    options: RunOptions

    def count(self, profile: Profile) -> FrequencyTable:
        """Count the combinations of the source."""
        splits = self.options.splits(self.workspace, profile)
        return count_combinations(self.workspace, profile, at_least=self.policy.privacy.least_k, splits=splits)

    def search(self, frequencies: FrequencyTable) -> Solution:
        """Return the solution that the policy and the options lead to."""
        return find_solution(self.workspace, frequencies, self.policy, self.options)


@dataclass(frozen=True)
class Measured:
    """A solution, the recoding that applies it, what it costs, and the kept columns that depend on recoded ones."""

    solution: Solution
    recoding: Recoding
    utility: Utility
    dependent: Dependent


@dataclass(frozen=True)
class Solved(Measured):
    """A measured solution within the policy's limits."""

    picture: str | None  # of the classes, as SVG; None means that none was asked for


@dataclass(frozen=True)
class Verified:
    """A staging table that satisfies the policy, and what was found about its kept columns."""

    staged: StagedTable
    judged: Judged


def solve_and_recode(run: Run, profile: Profile) -> Solved:
    """Count, search, recode and measure."""
    with run.workspace.stage("count"):
        frequencies = run.count(profile)
    with run.workspace.stage("search"):
        solution = run.search(frequencies)
    return recode_and_measure(run, profile, frequencies, solution)


def recode_and_measure(run: Run, profile: Profile, frequencies: FrequencyTable, solution: Solution) -> Solved:
    """Recode a solution and measure it; raise an error if it exceeds the policy's limits."""
    with _measured(run, profile, frequencies, solution) as measured:
        require_utility(run.policy, measured.utility)
        return _solved(run, measured)


def try_solution(
    run: Run, profile: Profile, frequencies: FrequencyTable, solution: Solution, problems: Problems, accept: Callable[[Recoding], object]
) -> tuple[Solved, Judged]:
    """Recode and measure a solution for a dry run: raise one error for every problem, with those of `accept` and those found so far."""
    workspace, policy, judged = run.workspace, run.policy, Judged()
    with _measured(run, profile, frequencies, solution) as measured:
        with problems.collected():
            require_utility(policy, measured.utility)
        with problems.collected():
            accept(measured.recoding)
        with problems.collected():
            require_risk_of_dry_run(workspace, policy, profile, measured.recoding)
        with problems.collected():
            judged = judge_dry_run(workspace, policy, profile, measured.recoding, measured.dependent)
        problems.require_none()
        return _solved(run, measured), judged


def verify_release(run: Run, staged: StagedTable, solved: Solved) -> Verified:
    """Verify the staging table, check it against the policy's limits on risk, then drop its column of persons."""
    with run.workspace.stage("verify"):
        verify_staged(run.workspace, staged, solved.recoding, run.policy.models)
        judged = judge_staged(run.workspace, run.policy, staged, solved.recoding, solved.dependent)
        drop_person(run.workspace, staged)
    return Verified(staged, judged)


@contextmanager
def _measured(run: Run, profile: Profile, frequencies: FrequencyTable, solution: Solution) -> Iterator[Measured]:
    workspace, policy = run.workspace, run.policy
    with workspace.stage("recode"):
        recoding = recode(workspace, frequencies, solution, policy.models)
    with workspace.stage("measure"):
        utility = measure(workspace, recoding, policy)
        yield Measured(solution, recoding, utility, find_dependent(workspace, policy, profile, frequencies, solution))


def _solved(run: Run, measured: Measured) -> Solved:
    return Solved(**vars(measured), picture=run.options.drawn(run.workspace, measured.recoding, run.policy))
