"""One command on one project: its options, the selected jobs, the connection, the log and the artifacts."""

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
from kanon_sql.project.batch import Batch, BatchSettings, Work
from kanon_sql.project.jobs import Job, Project, load_project
from kanon_sql.project.log import Log
from kanon_sql.project.manifest import (
    RESULTS_VERSION,
    checksums_in,
    last_published,
    manifest_document,
    past_statuses,
    published_checksums,
)
from kanon_sql.project.profiles import ConnectionProfile, read_connection
from kanon_sql.project.results import JobResult, Outcome, format_time, summary
from kanon_sql.project.scrubbing import secrets_of
from kanon_sql.project.selection import EarlierResults, select
from kanon_sql.project.settings import find_project, read_settings
from kanon_sql.project.target_folder import MANIFEST, PLAN_RESULTS, RUN_RESULTS, TargetFolder
from kanon_sql.project.versions import KANON_VERSION

RESULTS_FILES = {"plan": PLAN_RESULTS, "run": RUN_RESULTS, "test": RUN_RESULTS}


@dataclass(frozen=True)
class Options:
    """The options of the command line and the environment; None means not set."""

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
    only: frozenset[str] | None = None  # the jobs that retry repeats, by unique id


@dataclass(frozen=True)
class Session:
    """A loaded project, its connection and the selected jobs."""

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
    def allows_in_place(self) -> bool:
        """Whether the user permits replacing the rows of source tables."""
        return self.options.yes or self.connection.allow_in_place

    @property
    def auto_plan(self) -> bool:
        """Whether a run makes a new plan first."""
        return self.project.settings.auto_plan if self.options.auto_plan is None else self.options.auto_plan

    def threads(self) -> int:
        """Return the number of tables to process at the same time."""
        threads = self.options.threads or self.project.settings.threads or self.connection.threads or 1
        if threads > 1 and self.connection.has_single_writer:
            message = f"{self.connection.engine} allows one writer: tables are processed one after another, threads is 1"
            self.log.write("OneAtATime", message, level="debug")
            return 1
        return threads

    def execute(self, work: Work) -> Outcome:
        """Run the work for every selected job, and keep the artifacts up to date meanwhile."""
        fail_fast = self.project.settings.fail_fast if self.options.fail_fast is None else self.options.fail_fast
        file = RESULTS_FILES.get(self.command)

        def write_results(results: list[JobResult]) -> None:
            if file is not None:
                self.folder.write_json(file, self._document(results))

        threads = self.threads()
        self._log_start(threads)
        settings = BatchSettings(threads, fail_fast, recover_command(self.connection.url))
        batch = Batch(self.jobs, work, self.log, write_results, settings)
        results = [self._scrubbed(result) for result in batch.run()]
        if file is not None:
            self._write_manifest(results)
        outcome = Outcome(results, batch.is_interrupted, self.folder.secrets.scrub_all(self._document(results)))
        self.log.write("Done", summary(results), level="info" if self.log.is_json else "debug", exit_code=outcome.exit_code)
        return outcome

    def _write_manifest(self, results: list[JobResult]) -> None:
        """Write the manifest with the last releases; after a kill before this step, published jobs count as modified, which is harmless."""
        published = last_published(self.folder)
        for result in results:
            if self.command == "run" and result.status == "success":
                release = {"checksum": result.job.checksum, "at": format_time(result.timing[0].completed)}
                published[result.job.unique_id] = {**published.get(result.job.unique_id, {}), self.connection.target: release}
        self.folder.write_json(MANIFEST, manifest_document(self.project, self._metadata(), published))

    def _scrubbed(self, result: JobResult) -> JobResult:
        """Return the result without secrets."""
        scrub = self.folder.secrets.scrub
        warnings = tuple(scrub(warning) for warning in result.warnings)
        return replace(result, message=scrub(result.message), text=result.text and scrub(result.text), warnings=warnings)

    def _log_start(self, threads: int) -> None:
        target = f"target {self.connection.target} ({self.connection.engine})"
        self.log.write(
            "Began",
            f"kanon_sql {KANON_VERSION}: {self.command}, project {self.project.settings.name}, {target}",
            target=self.connection.target,
        )
        if self.connection.ignored:
            self.log.write("KeysIgnored", f"{self.connection.file}: ignored keys: {', '.join(self.connection.ignored)}", level="debug")
        number, word = len(self.jobs), "policy" if len(self.jobs) == 1 else "policies"
        self.log.write(
            "Found", f"{number} of {len(self.project.jobs)} {word} selected, threads: {threads}", chosen=[job.name for job in self.jobs]
        )

    def _metadata(self) -> dict[str, Any]:
        return {
            "kanon_version": KANON_VERSION,
            "generated_at": format_time(datetime.now(UTC)),
            "invocation_id": self.invocation_id,
            "project_name": self.project.settings.name,
            "adapter_type": self.connection.engine,
            "target_name": self.connection.target,
        }

    def _document(self, results: list[JobResult]) -> dict[str, Any]:
        options = self.options
        return {
            "metadata": {"kanon_schema_version": RESULTS_VERSION, **self._metadata()},
            "results": [result.to_dict() for result in results],
            "elapsed_time": (datetime.now(UTC) - self.started).total_seconds(),
            "args": {
                "which": self.command,
                "target": self.connection.target,
                "profiles_dir": str(options.profiles_dir.resolve()) if options.profiles_dir else None,
                "vars": dict(options.variables),
                "select": list(options.select),
                "exclude": list(options.exclude),
                "threads": options.threads,
                "fail_fast": options.fail_fast,
                "auto_plan": options.auto_plan,
                "yes": options.yes,
            },
        }


@contextmanager
def open_session(command: str, options: Options) -> Iterator[Session]:
    """Open a session after reading and checking all project files; errors are also written to the log."""
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
        jobs = tuple(selected_jobs(project, options, target))
        yield Session(command, options, project, connection, jobs, target, log, invocation_id, started)
    except KanonError as error:
        log.write("Failed", f"{command}: {error}", level="debug")
        raise type(error)(secrets.scrub(str(error))) from None
    finally:
        log.close()


def read_project(options: Options) -> Project:
    """Return the project that the options select."""
    folder = find_project(options.project_dir)
    return load_project(folder, read_settings(folder, os.environ, options.variables), os.environ)


def connection_of(project: Project, options: Options) -> ConnectionProfile:
    """Return the connection that the options select."""
    settings = project.settings
    return read_connection(
        project=project.folder, profiles_dir=options.profiles_dir, profile=settings.profile,
        target=options.target or settings.target, environment=os.environ, variables=settings.vars,
    )  # fmt: skip


def selected_jobs(project: Project, options: Options, folder: TargetFolder) -> list[Job]:
    """Return the jobs that the options select."""
    if options.only is not None:
        return [job for job in project.jobs if job.unique_id in options.only]
    words = [word for text in (*options.select, *options.exclude) for word in text.replace(",", " ").split()]
    uses_state = any(word.startswith("state:") for word in words)
    if options.state is not None and not uses_state:
        raise RequestError("--state is used only by the state: selectors. Add --select state:modified, or omit --state")
    checksums: Mapping[str, str | None] = {}
    if uses_state:
        checksums = checksums_in(options.state) if options.state else published_checksums(folder, connection_of(project, options).target)
    return select(project.jobs, options.select, options.exclude, EarlierResults(checksums, past_statuses(folder)))
