"""Files that a command writes for its user: checked before any work starts, and written completely or not at all."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from kanon_sql.errors import RequestError


@dataclass(frozen=True)
class OutputFile:
    """A file that the user named; an existing one is replaced only with force, or if it begins with `mark`, like an earlier run's log."""

    path: Path
    force: bool = False
    mark: str | None = None

    def require_writable(self) -> None:
        """Raise if the file cannot be written."""
        if self.path.is_dir():
            raise RequestError(f"{self.path} is a folder; name a file")
        self._require_replaceable()
        if not _is_special(self.path):
            _write_temporary(self.path, "").unlink()

    def write(self, text: str) -> None:
        """Write the text, unless the file was created in the meantime."""
        self._require_replaceable()
        write_whole(self.path, text)

    def _require_replaceable(self) -> None:
        if self.force or _is_special(self.path) or not self.path.exists() or not self.path.stat().st_size:
            return
        if self.mark is None:
            raise RequestError(f"{self.path} already exists; name another file, or overwrite it with --force")
        if not _begins_with(self.path, self.mark):
            raise RequestError(f"{self.path} already exists and was not written by an earlier run; name another file")


def write_whole(file: Path, text: str) -> None:
    """Write a file atomically: a reader finds the old text or the new one, even if the process is killed."""
    try:
        if _is_special(file):
            file.write_text(text, encoding="utf-8", newline="")
            return
        target = file.resolve()  # a link stays a link, and its target is written
        temporary = _write_temporary(target, text)
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o7777)
        temporary.replace(target)
    except OSError as error:
        raise RequestError(f"{file} cannot be written: {error.strerror}") from None


def _write_temporary(file: Path, text: str) -> Path:
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise RequestError(f"{file} cannot be written: {error.strerror}") from None
    return temporary


def _is_special(file: Path) -> bool:
    """Return whether the path is a terminal, pipe or device, such as /dev/stdout."""
    return file.exists() and not file.is_file() and not file.is_dir()


def _begins_with(file: Path, mark: str) -> bool:
    try:
        with file.open("rb") as content:
            return content.read(len(mark.encode())) == mark.encode()
    except OSError as error:
        raise RequestError(f"{file} cannot be read: {error.strerror}") from None
