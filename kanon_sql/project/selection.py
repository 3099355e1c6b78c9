"""Select jobs by name, tag, path, state and last result.

Several selectors select the union; selectors joined by a comma select the intersection.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from kanon_sql.common.spelling import did_you_mean
from kanon_sql.errors import RequestError
from kanon_sql.project.jobs import Job

METHODS = ("name", "tag", "path", "state", "result")
STATES = ("modified", "new", "unmodified")
RESULTS = ("success", "error", "error_after_release", "skipped", "pass", "fail", "warn")


@dataclass(frozen=True)
class EarlierResults:
    """Results of earlier commands, from the artifacts: published checksums, and the last status of each job."""

    published: Mapping[str, str | None]  # None means in the manifest, but never published
    statuses: Mapping[str, str]


def select(jobs: Sequence[Job], included: Sequence[str], excluded: Sequence[str], earlier: EarlierResults) -> list[Job]:
    """Return the included jobs (all if there is no selector) without the excluded ones, ordered by name."""
    selected = _union(jobs, included, earlier) if included else set(jobs_by_name(jobs))
    selected -= _union(jobs, excluded, earlier)
    return [job for job in jobs if job.name in selected]


def jobs_by_name(jobs: Sequence[Job]) -> dict[str, Job]:
    """Return the jobs by name."""
    return {job.name: job for job in jobs}


def _union(jobs: Sequence[Job], selectors: Sequence[str], earlier: EarlierResults) -> set[str]:
    found: set[str] = set()
    for selector in (word for text in selectors for word in text.split()):
        parts = [part for part in selector.split(",") if part]
        if parts:
            found |= set.intersection(*(_matching(jobs, part, earlier) for part in parts))
    return found


def _matching(jobs: Sequence[Job], selector: str, earlier: EarlierResults) -> set[str]:
    """Return the names of the jobs that match one selector without commas; raise an error if the selector is misspelled."""
    method, colon, value = selector.partition(":")
    if not colon:
        method, value = ("path" if "/" in selector else "name"), selector
    if method not in METHODS:
        hint = did_you_mean(method, METHODS)
        raise RequestError(f"selector {selector!r}: method {method!r} does not exist{hint}. Use one of: {', '.join(METHODS)}")
    if not value or value.startswith(("+", "@")) or value.endswith("+"):
        raise RequestError(
            f"selector {selector!r} cannot be read. Use a name, tag:nightly, path:policies/hr, state:modified or result:error"
        )
    matches = _MATCHERS[method](jobs, value, selector, earlier)
    return {job.name for job in jobs if matches(job)}


Matcher = Callable[[Job], bool]


def _by_name(jobs: Sequence[Job], value: str, selector: str, earlier: EarlierResults) -> Matcher:  # noqa: ARG001
    names = [job.name for job in jobs]
    if not any(fnmatchcase(name, value) for name in names):
        raise RequestError(
            f"selector {selector!r}: no policy has this name{did_you_mean(value, names)}. List the policies with: kanon list"
        )
    return lambda job: fnmatchcase(job.name, value)


def _by_tag(jobs: Sequence[Job], value: str, selector: str, earlier: EarlierResults) -> Matcher:  # noqa: ARG001
    tags = sorted({tag for job in jobs for tag in job.policy.tags})
    if not any(fnmatchcase(tag, value) for tag in tags):
        action = f"Use one of: {', '.join(tags)}" if tags else "No policy has tags; add the key tags to the policies"
        raise RequestError(f"selector {selector!r}: no policy has this tag{did_you_mean(value, tags)}. {action}")
    return lambda job: any(fnmatchcase(tag, value) for tag in job.policy.tags)


def _by_path(jobs: Sequence[Job], value: str, selector: str, earlier: EarlierResults) -> Matcher:  # noqa: ARG001
    wanted = str(PurePosixPath(value.removeprefix("./")))

    def is_in_path(job: Job) -> bool:
        path = job.file.as_posix()
        return path == wanted or path.startswith(f"{wanted}/") or fnmatchcase(path, wanted)

    if not any(map(is_in_path, jobs)):
        folders = {job.file.parent.as_posix() for job in jobs} | {job.file.as_posix() for job in jobs}
        raise RequestError(
            f"selector {selector!r}: no policy has this path{did_you_mean(wanted, folders)}. List the policies with: kanon list"
        )
    return is_in_path


def _by_state(jobs: Sequence[Job], value: str, selector: str, earlier: EarlierResults) -> Matcher:  # noqa: ARG001
    if value not in STATES:
        raise RequestError(
            f"selector {selector!r}: state {value!r} does not exist{did_you_mean(value, STATES)}. Use one of: {', '.join(STATES)}"
        )
    if value == "new":
        return lambda job: job.unique_id not in earlier.published
    return lambda job: (earlier.published.get(job.unique_id) == job.checksum) == (value == "unmodified")


def _by_result(jobs: Sequence[Job], value: str, selector: str, earlier: EarlierResults) -> Matcher:  # noqa: ARG001
    if value not in RESULTS:
        raise RequestError(
            f"selector {selector!r}: result {value!r} does not exist{did_you_mean(value, RESULTS)}. Use one of: {', '.join(RESULTS)}"
        )
    if not earlier.statuses:
        raise RequestError(f"selector {selector!r}: target/run_results.json does not exist. Run kanon run or kanon test first")
    return lambda job: earlier.statuses.get(job.unique_id) == value


_MATCHERS: dict[str, Callable[[Sequence[Job], str, str, EarlierResults], Matcher]] = {
    "name": _by_name,
    "tag": _by_tag,
    "path": _by_path,
    "state": _by_state,
    "result": _by_result,
}
