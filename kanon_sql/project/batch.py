"""Runs jobs side by side, each on a connection of its own, and can be stopped at any moment."""

from __future__ import annotations

import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from types import FrameType

from kanon_sql.errors import KanonError, QueryError
from kanon_sql.project.jobs import Job
from kanon_sql.project.log import Log
from kanon_sql.project.results import BAD, JobResult, Span
from kanon_sql.workspace import ReleaseProgress, Stage, StageListener

Work = Callable[[Job, StageListener], JobResult]

# Once the release is being given its name, a stop would come too late.
_TOO_LATE = ("swap", "scrub")


class Watch:
    """Listens to one job: how long each stage takes, whether the release has its name; stops it between stages if asked to."""

    def __init__(self, job: Job, log: Log, is_stopped: Callable[[], bool]) -> None:
        self._job, self._log, self._is_stopped = job, log, is_stopped
        self._began = self.started = datetime.now(UTC)
        self._spans: list[Span] = []
        self._release = ReleaseProgress()

    def listen(self, name: str, stage: Stage | None) -> None:
        """A stage begins, or has ended."""
        now = datetime.now(UTC)
        self._release.hear(name, stage)
        if stage is None:
            if self._is_stopped() and name.partition(":")[0] not in _TOO_LATE and not self._release.published:
                raise KeyboardInterrupt
            self._began = now if ":" not in name else self._began
            return
        self._spans.append(Span(name, self._began, now))
        facts = {"job": self._job.name, "stage": name, "seconds": stage.seconds, "statements": stage.statements}
        self._log.say("StageEnded", f"{self._job.name}: {name} {stage.seconds:.3f} s", level="debug", **facts)

    def ended(self, reason: str, recover: str) -> JobResult:
        """Return the result of a job that ended early; `recover` is the command that finishes a run in place."""
        publish = self._job.policy.publish
        if not self._release.published:
            return JobResult(self._job, "error", f"{reason}; nothing of it was published")
        if publish.in_place and publish.scrub != "off" and not self._release.erased:
            remains = f"the release is published, but original rows remain. Erase them with kanon retry or with: {recover}"
            return JobResult(self._job, "error_after_release", f"{reason}; {remains}")
        return JobResult(self._job, "error_after_release", f"{reason}; its release had been published by then")

    def timing(self) -> tuple[Span, ...]:
        """The whole job, then its stages."""
        return (Span("execute", self.started, datetime.now(UTC)), *self._spans)


class Batch:
    """Jobs that are done, at work and waiting; after every change `changed` is told what would be true if all ended now."""

    def __init__(
        self, jobs: Sequence[Job], work: Work, log: Log, changed: Callable[[list[JobResult]], None], *,
        threads: int, fail_fast: bool, recover: str,
    ) -> None:  # fmt: skip
        self._jobs, self._work, self._log, self._changed, self._recover = jobs, work, log, changed, recover
        self._threads, self._fail_fast = min(threads, len(jobs)), fail_fast
        self._lock = threading.RLock()
        self._waiting = deque(enumerate(jobs, start=1))
        self._running: set[str] = set()
        self._done: dict[str, JobResult] = {}
        self._stopped_by = ""
        self._ended: list[threading.Event] = []
        self.is_interrupted = False

    def run(self) -> list[JobResult]:
        """How every job ended, in order."""
        self._changed(self._results())
        with _stopped_by_kill():
            try:
                self._go()
            except KeyboardInterrupt:
                self._interrupt()
                if self._running:
                    self._log.say("Stopping", "Stopping: jobs end their current statement first.", level="warn")
                self._wait()  # a second Ctrl-C does not: the database rolls back what it loses
        results = self._results()
        for result in results:
            if result.status == "skipped":
                self._log.say("JobSkipped", f"SKIP {result.job.name}: {result.message}", level="warn", job=result.job.name)
        self._changed(results)
        return results

    def _go(self) -> None:
        if self._threads <= 1:
            self._work_off()  # in the main thread, where Ctrl-C reaches the statement at work
            return
        for number in range(1, self._threads + 1):
            ended = threading.Event()
            self._ended.append(ended)
            threading.Thread(target=self._work_until_end, args=(ended,), name=f"Thread-{number}", daemon=True).start()
        self._wait()

    def _work_until_end(self, ended: threading.Event) -> None:
        try:
            self._work_off()
        finally:
            ended.set()

    def _wait(self) -> None:
        """Until every thread has ended; not by Thread.join, which takes a thread for ended when a signal interrupts it (Python 3.11)."""
        for ended in self._ended:
            while not ended.wait(timeout=0.2):
                pass

    def _interrupt(self) -> None:
        with self._lock:
            self.is_interrupted, self._stopped_by = True, "the command was stopped"

    def _work_off(self) -> None:
        while True:
            with self._lock:
                if self._stopped_by or not self._waiting:
                    return
                number, job = self._waiting.popleft()
                self._running.add(job.name)
                self._changed(self._results())
            result = self._do(number, job)
            with self._lock:
                self._done[job.name] = result
                self._running.discard(job.name)
                if result.status in BAD and self._fail_fast and not self._stopped_by:
                    self._stopped_by = f"{job.name} failed, and --fail-fast is set"
                self._changed(self._results())

    def _do(self, number: int, job: Job) -> JobResult:
        """One job's result, whatever happens to it."""
        place = f"{number} of {len(self._jobs)}"
        self._log.say("JobStarted", f"{place} START {job.name} -> {job.target}", job=job.name)
        watch = Watch(job, self._log, lambda: self.is_interrupted)
        try:
            result = self._work(job, watch.listen)
        except KeyboardInterrupt:
            self._interrupt()
            result = watch.ended("stopped before it was done", self._recover)
        except KanonError as error:
            sql = error.sql if isinstance(error, QueryError) else None  # the statement that failed
            result = JobResult(job, "error", str(error), plan_hash=job.plan_hash, compiled_code=sql)
        except Exception as error:
            places = "".join(traceback.format_tb(error.__traceback__))  # not what the error says, which may hold values
            self._log.say("Traceback", f"{job.name}: {type(error).__name__}\n{places}", level="debug", job=job.name)
            reason = f"unexpected failure ({type(error).__name__}); please report it"
            result = replace(watch.ended(reason, self._recover), is_unexpected=True)
        result = replace(result, timing=watch.timing(), thread=threading.current_thread().name)
        bad = result.status in BAD
        word = {"success": "OK"}.get(result.status, result.status.upper())
        said = f"{place} {word} {job.name} in {result.seconds:.2f} s: {result.message}"
        self._log.say("JobEnded", said, level="error" if bad else "info", job=job.name, status=result.status, seconds=result.seconds)
        for warning in result.warnings:
            self._log.say("JobWarning", f"{job.name}: {warning}", level="warn", job=job.name)
        return result

    def _results(self) -> list[JobResult]:
        """Every job as if all ended now: what runs has failed, what waits is skipped."""
        left = self._stopped_by or "it had not begun when the command ended"
        unfinished = dict.fromkeys(self._running, "it was not done when the command ended: killed, or still at work")
        return [
            self._done.get(job.name)
            or (JobResult(job, "error", unfinished[job.name]) if job.name in unfinished else JobResult(job, "skipped", left))
            for job in self._jobs
        ]


@contextmanager
def _stopped_by_kill() -> Iterator[None]:
    """A scheduler's SIGTERM ends a run as Ctrl-C does: in order, with artifacts that retry understands."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
