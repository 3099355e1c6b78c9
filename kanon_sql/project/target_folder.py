"""Write, read and remove artifacts: files are written completely or not at all, without secrets."""

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
    """Write artifacts atomically, so readers never see part of a file, also after a kill."""

    folder: Path
    secrets: Secrets

    def write_json(self, name: str, document: dict[str, Any]) -> None:
        """Write a JSON document."""
        self._write(self.folder / name, json.dumps(self.secrets.scrub_all(document), indent=2, ensure_ascii=False, default=str) + "\n")

    def write_text(self, name: Path, text: str) -> Path:
        """Write a text file and return its path."""
        self._write(self.folder / name, self.secrets.scrub(text))
        return self.folder / name

    def read_json(self, name: str) -> dict[str, Any] | None:
        """Return a document that was written earlier; None if there is none."""
        return read_document(self.folder / name)

    def _write(self, file: Path, text: str) -> None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RequestError(
                f"{file} cannot be written: {error.strerror}. Make the folder writable, or set paths.target in kanon_project.yml"
            ) from None
        write_whole(file, text)


def read_document(file: Path) -> dict[str, Any] | None:
    """Return the JSON document in a file; None if the file does not exist."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        raise RequestError(f"{file} cannot be read as JSON. Remove it with kanon clean, and run again") from None
    if not isinstance(content, dict):
        raise RequestError(f"{file} is not a kanon_sql artifact. Remove it with kanon clean, and run again")
    return content


def clean(project: Path, settings: Settings) -> list[Path]:
    """Remove the files of the target folder and nothing else, and return them."""
    folder = project / settings.paths.target
    inside = folder.resolve()
    protected = [(project / path).resolve() for path in (settings.paths.policies, settings.paths.plans, settings.paths.logs)]
    if project.resolve() not in inside.parents or any(
        path == inside or inside in path.parents or path in inside.parents for path in protected
    ):
        raise RequestError(
            f"paths.target is {settings.paths.target!r}, which kanon clean does not empty. Set it to a separate folder inside the project"
        )
    if folder.is_symlink():
        raise RequestError(f"{folder} is a link, which kanon clean does not follow. Remove its files yourself")
    if not folder.is_dir():
        return []
    removed = sorted(path for path in folder.rglob("*") if not path.is_dir() or path.is_symlink())
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    return removed
