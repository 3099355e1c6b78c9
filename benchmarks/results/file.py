"""RESULTS.md: one section per benchmark, each replaced without changing the others."""

from __future__ import annotations

import re
from pathlib import Path

RESULTS = Path(__file__).parents[1] / "RESULTS.md"

_TITLE = "# Results"
_SECTION_START = re.compile(r"^(?=## )", re.MULTILINE)


def write_section(section: str, file: Path = RESULTS) -> None:
    """Replace the section with the same heading, or add the section at the end."""
    sections = {_heading(text): text.strip() for text in (*_sections(file), section)}
    file.write_text("\n\n".join([_TITLE, *sections.values()]) + "\n", encoding="utf-8")


def _sections(file: Path) -> list[str]:
    return _SECTION_START.split(file.read_text(encoding="utf-8"))[1:] if file.exists() else []


def _heading(section: str) -> str:
    return section.strip().splitlines()[0]
