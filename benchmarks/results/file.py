"""The file with the results: one section per part, each written without touching the others."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

RESULTS = Path(__file__).parents[1] / "RESULTS.md"

_TITLE = "# Results"
_SECTION_START = re.compile(r"^(?=## )", re.MULTILINE)


def write_sections(written: Iterable[str], file: Path = RESULTS) -> None:
    """Puts each section in place of the one with the same heading, or at the end."""
    sections = {_heading(text): text.strip() for text in (*_kept(file), *written)}
    file.write_text("\n\n".join([_TITLE, *sections.values()]) + "\n", encoding="utf-8")


def _kept(file: Path) -> list[str]:
    return _SECTION_START.split(file.read_text(encoding="utf-8"))[1:] if file.exists() else []


def _heading(section: str) -> str:
    return section.strip().splitlines()[0]
