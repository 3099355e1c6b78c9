"""The log of a command: lines on stderr and in logs/kanon.log, as text or JSON, without secrets."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Literal

from kanon_sql.errors import RequestError
from kanon_sql.project.scrubbing import Secrets

Level = Literal["debug", "info", "warn", "error"]
MAX_BYTES = 10_000_000  # then a new file is started, and the previous one is kept


def _to_stderr(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


class Log:
    """Write log lines from any thread; debug lines go only to the file."""

    def __init__(
        self, file: Path, secrets: Secrets, *, style: str, invocation_id: str, quiet: bool = False, show: Callable[[str], None] = _to_stderr
    ) -> None:
        self._secrets, self._style, self._invocation_id, self._quiet, self._show = secrets, style, invocation_id, quiet, show
        self._lock = threading.RLock()
        self._file = _open(file)

    @property
    def is_json(self) -> bool:
        """Whether lines are JSON."""
        return self._style == "json"

    def write(self, event: str, message: str, *, level: Level = "info", **facts: Any) -> None:
        """Write one event: a message for people and, as JSON, facts for programs."""
        now = datetime.now(UTC)
        message = self._secrets.scrub(message)
        line = self._as_json(now, event, message, level, facts)
        text = "\n".join(f"{now:%Y-%m-%dT%H:%M:%S.%fZ} [{level:<5}] {part}" for part in message.splitlines())
        with self._lock:
            self._file.write((line if self.is_json else text) + "\n")
            self._file.flush()
            if level != "debug" and not (self._quiet and level == "info"):
                self._show(line if self.is_json else "\n".join(f"{now:%H:%M:%S}  {part}" for part in message.splitlines()))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

    def _as_json(self, now: datetime, event: str, message: str, level: Level, facts: dict[str, Any]) -> str:
        info = {
            "name": event,
            "level": level,
            "ts": now.isoformat().replace("+00:00", "Z"),
            "msg": message,
            "thread": threading.current_thread().name,
            "invocation_id": self._invocation_id,
        }
        return json.dumps({"info": info, "data": self._secrets.scrub_all(facts)}, ensure_ascii=False, default=str)


def _open(file: Path) -> IO[str]:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists() and file.stat().st_size > MAX_BYTES:
            file.replace(file.with_name(f"{file.name}.1"))
        return file.open("a", encoding="utf-8")
    except OSError as error:
        raise RequestError(
            f"log file {file} cannot be written: {error.strerror}. Make the folder writable, or set paths.logs in kanon_project.yml"
        ) from None
