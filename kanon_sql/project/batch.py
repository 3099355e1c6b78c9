"""Run jobs one after another or in several threads, each on its own connection, and stop them on request."""

from __future__ import annotations

import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import FrameType

from kanon_sql.errors import KanonError, QueryError
from kanon_sql.project.jobs import Job
from kanon_sql.project.log import Level, Log
from kanon_sql.project.results import BAD, JobResult, Span
from kanon_sql.workspace import ReleaseProgress, Stage, StageListener

Work = Callable[[Job, StageListener], JobResult]

# A stop has no effect in these stages: the release is already taking its final name.
_NOT_STOPPABLE = ("swap", "scrub")


class JobMonitor:
    """Record the stages of one job and the state of its release, and stop the job between stages on request."""

    def __init__(self, job: Job, log: Log, is_stopped: Callable[[], bool]) -> None:
        self._job, self._log, self._is_stopped = job, log, is_stopped
        self._stage_started = self._started = datetime.now(UTC)
        self._spans: list[Span] = []
        self._release = ReleaseProgress()

    def listen(self, name: str, stage: Stage | None) -> None:
        """Record that a stage starts, or that it has ended."""
        now = datetime.now(UTC)
        self._release.hear(name, stage)
        if stage is None:
            if self._is_stopped() and name.partition(":")[0] not in _NOT_STOPPABLE and not self._release.published:
                raise KeyboardInterrupt
            self._stage_started = now if ":" not in name else self._stage_started
            return
        self._spans.append(Span(name, self._stage_started, now))
        facts = {"job": self._job.name, "stage": name, "seconds": stage.seconds, "statements": stage.statements}
        self._log.write("StageEnded", f"{self._job.name}: {name} {stage.seconds:.3f} s", level="debug", **facts)

    def interrupted(self, reason: str, recover_command: str) -> JobResult:
        """Return the result of a job that ended early; `recover_command` erases the original rows of an in-place run."""
        publish = self._job.policy.publish
        if not self._release.published:
            return JobResult(self._job, "error", f"{reason}; nothing was published")
        if publish.in_place and publish.scrub != "off" and not self._release.erased:
            remaining = f"the release is published, but original rows remain. Erase them with kanon retry or with: {recover_command}"
            return JobResult(self._job, "error_after_release", f"{reason}; {remaining}")
        return JobResult(self._job, "error_after_release", f"{reason}; the release is already published")

    def timing(self) -> tuple[Span, ...]:
        """Return the time span of the whole job, then those of its stages."""
        return (Span("execute", self._started, datetime.now(UTC)), *self._spans)


@dataclass(frozen=True)
class BatchSettings:
    """How a batch runs its jobs."""

    threads: int
    fail_fast: bool
    recover_command: str  # erases original rows that an interrupted in-place run leaves


class Batch:
    """The jobs of a command.

    After every change, `on_change` receives the results as if the command ended now, so the artifacts stay correct after a kill.
    """

    def __init__(
        self, jobs: Sequence[Job], work: Work, log: Log, on_change: Callable[[list[JobResult]], None], settings: BatchSettings
    ) -> None:
        self._jobs, self._work, self._log, self._on_change, self._settings = jobs, work, log, on_change, settings
        self._lock = threading.RLock()
        self._waiting = deque(enumerate(jobs, start=1))
        self._running: set[str] = set()
        self._done: dict[str, JobResult] = {}
        self._stop_reason = ""
        self._ended: list[threading.Event] = []
        self.is_interrupted = False

    def run(self) -> list[JobResult]:
        """Run the jobs and return the result of each, in order."""
        self._on_change(self._results())
        with _sigterm_interrupts():
            try:
                self._start()
            except KeyboardInterrupt:
                self._interrupt()
                if self._running:
                    self._log.write("Stopping", "Stopping after the current statement of each job.", level="warn")
                self._wait()  # a second Ctrl-C ends the wait; the database then rolls back the open transactions
        results = self._results()
        for result in results:
            if result.status == "skipped":
                self._log.write("JobSkipped", f"SKIP {result.job.name}: {result.message}", level="warn", job=result.job.name)
        self._on_change(results)
        return results

    def _start(self) -> None:
        threads = min(self._settings.threads, len(self._jobs))
        if threads <= 1:
            self._run_waiting()  # in the main thread, where Ctrl-C interrupts the current statement
            return
        for number in range(1, threads + 1):
            ended = threading.Event()
            self._ended.append(ended)
            threading.Thread(target=self._run_in_thread, args=(ended,), name=f"Thread-{number}", daemon=True).start()
        self._wait()

    def _run_in_thread(self, ended: threading.Event) -> None:
        try:
            self._run_waiting()
        finally:
            ended.set()

    def _wait(self) -> None:
        """Wait for all threads.

        Thread.join is not reliable here: in Python 3.11 it treats a thread as ended if a signal interrupts the wait.
        """
        for ended in self._ended:
            while not ended.wait(timeout=0.2):
                pass

    def _interrupt(self) -> None:
        with self._lock:
            self.is_interrupted, self._stop_reason = True, "the command was stopped"

    def _run_waiting(self) -> None:
        while True:
            with self._lock:
                if self._stop_reason or not self._waiting:
                    return
                number, job = self._waiting.popleft()
                self._running.add(job.name)
                self._on_change(self._results())
            result = self._run_job(f"{number} of {len(self._jobs)}", job)
            with self._lock:
                self._done[job.name] = result
                self._running.discard(job.name)
                if result.status in BAD and self._settings.fail_fast and not self._stop_reason:
                    self._stop_reason = f"job {job.name} failed, and --fail-fast is set"
                self._on_change(self._results())

    def _run_job(self, position: str, job: Job) -> JobResult:
        """Run one job and return its result, also after an unexpected failure."""
        self._log.write("JobStarted", f"{position} START {job.name} -> {job.target}", job=job.name)
        monitor = JobMonitor(job, self._log, lambda: self.is_interrupted)
        try:
            result = self._work(job, monitor.listen)
        except KeyboardInterrupt:
            self._interrupt()
            result = monitor.interrupted("the job was stopped", self._settings.recover_command)
        except KanonError as error:
            sql = error.sql if isinstance(error, QueryError) else None  # the statement that failed
            result = JobResult(job, "error", str(error), plan_hash=job.plan_hash, compiled_code=sql)
        except Exception as error:
            frames = "".join(traceback.format_tb(error.__traceback__))  # without the message, which may contain cell values
            self._log.write("Traceback", f"{job.name}: {type(error).__name__}\n{frames}", level="debug", job=job.name)
            reason = f"unexpected failure ({type(error).__name__}), please report it"
            result = replace(monitor.interrupted(reason, self._settings.recover_command), is_unexpected=True)
        result = replace(result, timing=monitor.timing(), thread=threading.current_thread().name)
        self._log_result(position, result)
        return result

    def _log_result(self, position: str, result: JobResult) -> None:
        name, status, seconds = result.job.name, result.status, result.seconds
        word = "OK" if status == "success" else status.upper()
        level: Level = "error" if status in BAD else "info"
        message = f"{position} {word} {name} in {seconds:.2f} s: {result.message}"
        self._log.write("JobEnded", message, level=level, job=name, status=status, seconds=seconds)
        for warning in result.warnings:
            self._log.write("JobWarning", f"{name}: {warning}", level="warn", job=name)

    def _results(self) -> list[JobResult]:
        """Return the results as if the command ended now: running jobs have failed, waiting jobs are skipped."""
        not_started = self._stop_reason or "the job had not started when the command ended"
        return [self._done.get(job.name) or self._unfinished(job, not_started) for job in self._jobs]

    def _unfinished(self, job: Job, not_started: str) -> JobResult:
        if job.name in self._running:
            return JobResult(job, "error", "the job had not finished when the command ended: it was killed or is still running")
        return JobResult(job, "skipped", not_started)


@contextmanager
def _sigterm_interrupts() -> Iterator[None]:
    """Treat SIGTERM, which schedulers send, like Ctrl-C, so the artifacts are complete and `kanon retry` can use them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)
