"""Chooses jobs: by name, tag, path, state and last result; several are added up, joined by a comma all must hold."""

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
class Past:
    """What artifacts say of earlier commands: what was published by which checksum, and how each job ended last."""

    published: Mapping[str, str | None]  # None: known, but never published
    statuses: Mapping[str, str]


def select(jobs: Sequence[Job], chosen: Sequence[str], left_out: Sequence[str], past: Past) -> list[Job]:
    """The chosen jobs (all, if none is named) but those left out, in order of their names."""
    selected = _all_of(jobs, chosen, past) if chosen else set(jobs_by_name(jobs))
    selected -= _all_of(jobs, left_out, past)
    return [job for job in jobs if job.name in selected]


def jobs_by_name(jobs: Sequence[Job]) -> dict[str, Job]:
    """The jobs under their names."""
    return {job.name: job for job in jobs}


def _all_of(jobs: Sequence[Job], selectors: Sequence[str], past: Past) -> set[str]:
    found: set[str] = set()
    for selector in (word for given in selectors for word in given.split()):
        parts = [part for part in selector.split(",") if part]
        if parts:
            found |= set.intersection(*(_one(jobs, part, past) for part in parts))
    return found


def _one(jobs: Sequence[Job], selector: str, past: Past) -> set[str]:
    """The names of the jobs that one selector without commas means; a misspelled one is an error."""
    method, colon, value = selector.partition(":")
    if not colon:
        method, value = ("path" if "/" in selector else "name"), selector
    if method not in METHODS:
        hint = did_you_mean(method, METHODS)
        raise RequestError(f"selector {selector!r}: there is no method {method!r}{hint}; there are {', '.join(METHODS)}")
    if not value or value.startswith(("+", "@")) or value.endswith("+"):
        raise RequestError(f"selector {selector!r}: write a name, tag:nightly, path:policies/hr, state:modified or result:error")
    matches = _MATCHERS[method](jobs, value, selector, past)
    return {job.name for job in jobs if matches(job)}


Matcher = Callable[[Job], bool]


def _by_name(jobs: Sequence[Job], value: str, selector: str, past: Past) -> Matcher:  # noqa: ARG001
    names = [job.name for job in jobs]
    if not any(fnmatchcase(name, value) for name in names):
        raise RequestError(f"selector {selector!r}: there is no such policy{did_you_mean(value, names)}; kanon list shows all")
    return lambda job: fnmatchcase(job.name, value)


def _by_tag(jobs: Sequence[Job], value: str, selector: str, past: Past) -> Matcher:  # noqa: ARG001
    tags = sorted({tag for job in jobs for tag in job.policy.tags})
    if not any(fnmatchcase(tag, value) for tag in tags):
        shown = f"; there are {', '.join(tags)}" if tags else "; no policy has a tag"
        raise RequestError(f"selector {selector!r}: no policy has this tag{did_you_mean(value, tags)}{shown}")
    return lambda job: any(fnmatchcase(tag, value) for tag in job.policy.tags)


def _by_path(jobs: Sequence[Job], value: str, selector: str, past: Past) -> Matcher:  # noqa: ARG001
    wanted = str(PurePosixPath(value.removeprefix("./")))

    def lies_there(job: Job) -> bool:
        path = job.file.as_posix()
        return path == wanted or path.startswith(f"{wanted}/") or fnmatchcase(path, wanted)

    if not any(map(lies_there, jobs)):
        folders = {job.file.parent.as_posix() for job in jobs} | {job.file.as_posix() for job in jobs}
        raise RequestError(f"selector {selector!r}: no policy lies there{did_you_mean(wanted, folders)}")
    return lies_there


def _by_state(jobs: Sequence[Job], value: str, selector: str, past: Past) -> Matcher:  # noqa: ARG001
    if value not in STATES:
        raise RequestError(
            f"selector {selector!r}: there is no state {value!r}{did_you_mean(value, STATES)}; there are {', '.join(STATES)}"
        )
    if value == "new":
        return lambda job: job.unique_id not in past.published
    return lambda job: (past.published.get(job.unique_id) == job.checksum) == (value == "unmodified")


def _by_result(jobs: Sequence[Job], value: str, selector: str, past: Past) -> Matcher:  # noqa: ARG001
    if value not in RESULTS:
        raise RequestError(
            f"selector {selector!r}: there is no result {value!r}{did_you_mean(value, RESULTS)}; there are {', '.join(RESULTS)}"
        )
    if not past.statuses:
        raise RequestError(f"selector {selector!r}: there is no target/run_results.json yet; run first")
    return lambda job: past.statuses.get(job.unique_id) == value


_MATCHERS: dict[str, Callable[[Sequence[Job], str, str, Past], Matcher]] = {
    "name": _by_name,
    "tag": _by_tag,
    "path": _by_path,
    "state": _by_state,
    "result": _by_result,
}
