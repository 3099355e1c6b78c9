"""The folder of artifacts: whole files or none, without secrets; and how it is emptied."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kanon_sql.common.output_file import write_whole
from kanon_sql.errors import RequestError
from kanon_sql.project.scrubbing import Secrets
from kanon_sql.project.settings import Settings

MANIFEST = "manifest.json"
RUN_RESULTS = "run_results.json"
PLAN_RESULTS = "plan_results.json"


@dataclass(frozen=True)
class TargetFolder:
    """Writes artifacts so that a reader, or a command after a kill, finds each as a whole."""

    folder: Path
    secrets: Secrets

    def write_json(self, name: str, document: dict[str, Any]) -> None:
        """Writes a document."""
        self._write(self.folder / name, json.dumps(self.secrets.scrub_all(document), indent=2, ensure_ascii=False, default=str) + "\n")

    def write_text(self, name: Path, text: str) -> Path:
        """Writes a text file; where it is."""
        self._write(self.folder / name, self.secrets.scrub(text))
        return self.folder / name

    def read_json(self, name: str) -> dict[str, Any] | None:
        """A document written earlier, if there is one."""
        return read_document(self.folder / name)

    def _write(self, file: Path, text: str) -> None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RequestError(f"{file} cannot be written: {error.strerror}") from None
        write_whole(file, text)


def read_document(file: Path) -> dict[str, Any] | None:
    """A JSON document, if the file is there."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        raise RequestError(f"{file} cannot be read; remove it (kanon clean) and run again") from None
    if not isinstance(content, dict):
        raise RequestError(f"{file} is not an artifact of ours; remove it (kanon clean) and run again")
    return content


def clean(project: Path, settings: Settings) -> list[Path]:
    """Removes the files of the artifacts' folder and nothing else; what was removed."""
    folder = project / settings.paths.target
    inside = folder.resolve()
    kept = [(project / path).resolve() for path in (settings.paths.policies, settings.paths.plans, settings.paths.logs)]
    if project.resolve() not in inside.parents or any(path == inside or inside in path.parents or path in inside.parents for path in kept):
        raise RequestError(f"paths.target is {settings.paths.target!r}: only a folder of its own inside the project is emptied")
    if folder.is_symlink():
        raise RequestError(f"{folder} is a link; only a folder inside the project is emptied")
    if not folder.is_dir():
        return []
    removed = sorted(path for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    return removed
