"""Whole commands on a small table: what a user of the command line waits for, including the start of Python."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.fresh_process import fresh_copy
from benchmarks.measurements.baseline import baseline_statements
from benchmarks.settings import Settings
from benchmarks.tables.adult import adult_case, adult_file

ROWS = 30_162
SUPPRESSION = "0.05"
_KANON = "import sys; from kanon_sql.cli import main; sys.exit(main())"


@dataclass(frozen=True)
class CommandFigures:
    """The CPU seconds of a command in each round."""

    name: str
    cpu: tuple[float, ...]

    @property
    def median(self) -> float:
        return median(self.cpu)


def measure_small(settings: Settings) -> list[CommandFigures]:
    """Measure commands on the Adult data in its own size, and the start of Python with DuckDB."""
    if settings.adult is None:
        raise ValueError("The folder of the Adult data is not set.")
    case, source = adult_case(settings.adult), adult_file(settings.adult, settings.with_rows(ROWS))

    def baseline(database: Path) -> list[str]:
        statements = list(baseline_statements(case).values())
        return ["-c", f"import duckdb; c = duckdb.connect({str(database)!r}); [c.execute(s) for s in {statements!r}]"]

    def command(name: str, *options: str) -> Callable[[Path], list[str]]:
        return lambda database: ["-c", _KANON, name, f"duckdb:///{database}", "--policy", str(case.policy), *options]

    measured: dict[str, Callable[[Path], list[str]]] = {
        "python -c 'import duckdb'": lambda _: ["-c", "import duckdb"],
        "baseline: group and copy": baseline,
        "kanon --help": lambda _: ["-c", _KANON, "--help"],
        "kanon anonymize": command("anonymize", "--suppression", SUPPRESSION),
        "kanon anonymize, mondrian": command("anonymize", "--algorithm", "mondrian"),
        "kanon solve": command("solve", "--suppression", SUPPRESSION),
    }
    return [CommandFigures(name, tuple(_cpu(source, line) for _ in range(settings.rounds))) for name, line in measured.items()]


def _cpu(source: Path, line: Callable[[Path], Sequence[str]]) -> float:
    """Return the CPU seconds of a Python process on a fresh copy of the file; raise an error if it fails."""
    with fresh_copy(source, "command") as database:
        process = subprocess.Popen([sys.executable, *line(database)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{line(source)[:3]} ended with exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime
