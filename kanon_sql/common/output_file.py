"""Files that a command writes for its user: checked before any work starts, and written as a whole or not at all."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from kanon_sql.errors import RequestError


@dataclass(frozen=True)
class OutputFile:
    """A file that the user named; one that exists is replaced only by force, or if it begins with `mark`, as a log of an earlier run."""

    path: Path
    force: bool = False
    mark: str | None = None

    def require_writable(self) -> None:
        """Raise an error if the file would not be written."""
        if self.path.is_dir():
            raise RequestError(f"{self.path} is a folder: name a file")
        self._require_replaceable()
        if not _is_special(self.path):
            _write_beside(self.path, "").unlink()

    def write(self, text: str) -> None:
        """Write the text, unless somebody else has made the file meanwhile."""
        self._require_replaceable()
        write_whole(self.path, text)

    def _require_replaceable(self) -> None:
        if self.force or _is_special(self.path) or not self.path.exists() or not self.path.stat().st_size:
            return
        if self.mark is None:
            raise RequestError(f"{self.path} exists and is not overwritten; name another file, or overwrite it with --force")
        if not _begins_with(self.path, self.mark):
            raise RequestError(f"{self.path} exists and was not written by an earlier run; name another file")


def write_whole(file: Path, text: str) -> None:
    """Write a file so that a reader, also after a kill, finds the old text or the new one."""
    try:
        if _is_special(file):
            file.write_text(text, encoding="utf-8", newline="")
            return
        place = file.resolve()  # a link stays, and what it leads to is written
        beside = _write_beside(place, text)
        if place.exists():
            beside.chmod(place.stat().st_mode & 0o7777)
        beside.replace(place)
    except OSError as error:
        raise RequestError(f"{file} cannot be written: {error.strerror}") from None


def _write_beside(file: Path, text: str) -> Path:
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise RequestError(f"{file} cannot be written: {error.strerror}") from None
    return beside


def _is_special(file: Path) -> bool:
    """Whether the path is a terminal, pipe or device, such as /dev/stdout."""
    return file.exists() and not file.is_file() and not file.is_dir()


def _begins_with(file: Path, mark: str) -> bool:
    try:
        with file.open("rb") as content:
            return content.read(len(mark.encode())) == mark.encode()
    except OSError as error:
        raise RequestError(f"{file} cannot be read: {error.strerror}") from None
