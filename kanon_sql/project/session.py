"""One command on one project: what was asked, what it concerns, where it says and writes what it did."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kanon_sql.backends import recover_command
from kanon_sql.errors import KanonError, RequestError
from kanon_sql.project.batch import Batch, Work
from kanon_sql.project.jobs import Job, Project, load_project
from kanon_sql.project.log import Log
from kanon_sql.project.manifest import (
    RESULTS_VERSION,
    checksums_elsewhere,
    last_published,
    manifest_document,
    past_statuses,
    published_checksums,
)
from kanon_sql.project.profiles import ConnectionProfile, read_connection
from kanon_sql.project.results import JobResult, Outcome, moment, summary
from kanon_sql.project.scrubbing import secrets_of
from kanon_sql.project.selection import Past, select
from kanon_sql.project.settings import find_project, read_settings
from kanon_sql.project.target_folder import MANIFEST, PLAN_RESULTS, RUN_RESULTS, TargetFolder
from kanon_sql.project.versions import KANON_VERSION

RESULTS_FILES = {"plan": PLAN_RESULTS, "run": RUN_RESULTS, "test": RUN_RESULTS}


@dataclass(frozen=True)
class Options:
    """What the command line and the environment say; None where they say nothing."""

    project_dir: Path | None = None
    profiles_dir: Path | None = None
    target: str | None = None
    variables: Mapping[str, Any] = field(default_factory=dict)
    select: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    state: Path | None = None
    threads: int | None = None
    fail_fast: bool | None = None
    auto_plan: bool | None = None
    yes: bool = False
    log_format: str | None = None
    quiet: bool = False
    only: frozenset[str] | None = None  # the jobs that retry asks for, by unique id


@dataclass(frozen=True)
class Session:
    """A project that was read, a database that is known, and the jobs that were chosen."""

    command: str
    options: Options
    project: Project
    connection: ConnectionProfile
    jobs: tuple[Job, ...]
    folder: TargetFolder
    log: Log
    invocation_id: str
    started: datetime

    @property
    def agrees_in_place(self) -> bool:
        """Whether someone has agreed that tables' own rows are replaced."""
        return self.options.yes or self.connection.allow_in_place

    @property
    def auto_plan(self) -> bool:
        """Whether a run plans first."""
        return self.project.settings.auto_plan if self.options.auto_plan is None else self.options.auto_plan

    def threads(self) -> int:
        """How many tables are worked on side by side."""
        wanted = self.options.threads or self.project.settings.threads or self.connection.threads or 1
        if wanted > 1 and self.connection.one_at_a_time:
            self.log.say(
                "OneAtATime", f"{self.connection.engine} takes one writer at a time: tables take turns, threads is 1", level="debug"
            )
            return 1
        return wanted

    def carry_out(self, work: Work) -> Outcome:
        """Does the work for every chosen job, and keeps the artifacts true all the while."""
        fail_fast = self.project.settings.fail_fast if self.options.fail_fast is None else self.options.fail_fast
        file = RESULTS_FILES.get(self.command)

        def changed(results: list[JobResult]) -> None:
            if file is not None:
                self.folder.write_json(file, self._document(results))

        threads = self.threads()
        self._greet(threads)
        recover = recover_command(self.connection.url)
        batch = Batch(self.jobs, work, self.log, changed, threads=threads, fail_fast=fail_fast, recover=recover)
        results = [self._scrubbed(result) for result in batch.run()]
        if file is not None:
            self._write_manifest(results)
        outcome = Outcome(results, batch.is_interrupted, self.folder.secrets.scrub_all(self._document(results)))
        self.log.say("Done", summary(results), level="info" if self.log.is_json else "debug", exit_code=outcome.exit_code)
        return outcome

    def _write_manifest(self, results: list[JobResult]) -> None:
        """What the project holds, and what was published of it; a kill before this leaves a job modified, which does no harm."""
        published = last_published(self.folder)
        for result in results:
            if self.command == "run" and result.status == "success":
                told = {"checksum": result.job.checksum, "at": moment(result.timing[0].completed)}
                published[result.job.unique_id] = {**published.get(result.job.unique_id, {}), self.connection.target: told}
        self.folder.write_json(MANIFEST, manifest_document(self.project, self._metadata(), published))

    def _scrubbed(self, result: JobResult) -> JobResult:
        """The result as it may be shown."""
        scrub = self.folder.secrets.scrub
        warnings = tuple(scrub(warning) for warning in result.warnings)
        return replace(result, message=scrub(result.message), text=result.text and scrub(result.text), warnings=warnings)

    def _greet(self, threads: int) -> None:
        place = f"target {self.connection.target} ({self.connection.engine})"
        self.log.say(
            "Began",
            f"kanon_sql {KANON_VERSION}: {self.command}, project {self.project.settings.name}, {place}",
            target=self.connection.target,
        )
        if self.connection.ignored:
            self.log.say("KeysIgnored", f"{self.connection.file}: {', '.join(self.connection.ignored)}: not used here", level="debug")
        number, word = len(self.jobs), "policy" if len(self.jobs) == 1 else "policies"
        self.log.say(
            "Found", f"{number} of {len(self.project.jobs)} {word} chosen, threads: {threads}", chosen=[job.name for job in self.jobs]
        )

    def _metadata(self) -> dict[str, Any]:
        return {
            "kanon_version": KANON_VERSION,
            "generated_at": moment(datetime.now(UTC)),
            "invocation_id": self.invocation_id,
            "project_name": self.project.settings.name,
            "adapter_type": self.connection.engine,
            "target_name": self.connection.target,
        }

    def _document(self, results: list[JobResult]) -> dict[str, Any]:
        given = self.options
        return {
            "metadata": {"kanon_schema_version": RESULTS_VERSION, **self._metadata()},
            "results": [result.to_dict() for result in results],
            "elapsed_time": (datetime.now(UTC) - self.started).total_seconds(),
            "args": {
                "which": self.command,
                "target": self.connection.target,
                "profiles_dir": str(given.profiles_dir.resolve()) if given.profiles_dir else None,
                "vars": dict(given.variables),
                "select": list(given.select),
                "exclude": list(given.exclude),
                "threads": given.threads,
                "fail_fast": given.fail_fast,
                "auto_plan": given.auto_plan,
                "yes": given.yes,
            },
        }


@contextmanager
def open_session(command: str, options: Options) -> Iterator[Session]:
    """A session, once everything on disk has been read and found sound; what is not is told in the log, too."""
    folder = find_project(options.project_dir)
    settings = read_settings(folder, os.environ, options.variables)
    secrets, invocation_id, started = secrets_of(os.environ), str(uuid.uuid4()), datetime.now(UTC)
    style = options.log_format or settings.log_format
    log = Log(folder / settings.paths.logs / "kanon.log", secrets, style=style, invocation_id=invocation_id, quiet=options.quiet)
    try:
        project = load_project(folder, settings, os.environ)
        connection = connection_of(project, options)
        secrets.add(*connection.secrets)
        target = TargetFolder(project.target_folder, secrets)
        jobs = tuple(chosen_jobs(project, options, target))
        yield Session(command, options, project, connection, jobs, target, log, invocation_id, started)
    except KanonError as error:
        log.say("Failed", f"{command}: {error}", level="debug")
        raise type(error)(secrets.scrub(str(error))) from None
    finally:
        log.close()


def read_project(options: Options) -> Project:
    """The project that was asked for."""
    folder = find_project(options.project_dir)
    return load_project(folder, read_settings(folder, os.environ, options.variables), os.environ)


def connection_of(project: Project, options: Options) -> ConnectionProfile:
    """The connection that was asked for."""
    settings = project.settings
    return read_connection(
        project=project.folder, profiles_dir=options.profiles_dir, profile=settings.profile,
        target=options.target or settings.target, environment=os.environ, variables=settings.vars,
    )  # fmt: skip


def chosen_jobs(project: Project, options: Options, folder: TargetFolder) -> list[Job]:
    """The jobs that were asked for."""
    if options.only is not None:
        return [job for job in project.jobs if job.unique_id in options.only]
    words = [word for given in (*options.select, *options.exclude) for word in given.replace(",", " ").split()]
    asks_state = any(word.startswith("state:") for word in words)
    if options.state is not None and not asks_state:
        raise RequestError("--state is for the selector state:modified; select with it, or leave --state out")
    checksums: Mapping[str, str | None] = {}
    if asks_state:
        elsewhere = options.state
        checksums = checksums_elsewhere(elsewhere) if elsewhere else published_checksums(folder, connection_of(project, options).target)
    return select(project.jobs, options.select, options.exclude, Past(checksums, past_statuses(folder)))
