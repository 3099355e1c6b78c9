"""k of raw and released tables beside pycanon's, which lives in an environment of its own: python -m benchmarks.pycanon_k."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import pandas as pd

import kanon_sql as ks

HOME = Path(__file__).parents[1] / ".venv-pycanon"
QUASI_IDENTIFIERS = ["age", "zip", "sex"]
_THEIRS = """
import json, sys
import pandas as pd
from pycanon import anonymity
names = json.loads(sys.argv[2])
print(int(anonymity.k_anonymity(pd.read_csv(sys.argv[1], dtype=str, keep_default_na=False), names)))
"""


def main() -> None:
    """Prints both figures per table, and ends with an error if they differ."""
    python = _environment()
    figures = [(name, *_compare(python, table)) for name, table in _tables()]
    for name, ours, theirs in figures:
        print(f"{name}: kanon_sql {ours}, pycanon {theirs}")
    if any(ours != theirs for _, ours, theirs in figures):
        sys.exit("the figures differ")


def _environment() -> Path:
    """pycanon pins old pandas, numpy and typer, so it is installed apart, on the first use."""
    python = HOME / "bin" / "python"
    if not python.exists():
        venv.create(HOME, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "pycanon"], check=True)
    return python


def _compare(python: Path, table: pd.DataFrame) -> tuple[int | None, int]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        table.to_csv(file, index=False)
        arguments = [str(python), "-c", _THEIRS, str(file), json.dumps(QUASI_IDENTIFIERS)]
        theirs = int(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)
    return ks.risk(table, quasi_identifiers=QUASI_IDENTIFIERS).k, theirs


def _tables() -> list[tuple[str, pd.DataFrame]]:
    numbers = pd.Series(range(20_000))
    raw = pd.DataFrame(
        {
            "age": (numbers * 7919) % 97,
            "zip": ((numbers * 104_729) % 900 + 100).astype(str),
            "sex": [("f", "m", "x")[number % 3] for number in numbers],
            "illness": [("flu", "cold", "asthma")[number * 31 % 7 % 3] for number in numbers],
        }
    )
    policy = {
        "suppression": 0.05,
        "columns": {
            "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 10, 20]}},
            "zip": {"role": "quasi_identifier", "hierarchy": {"mask": {"char": "*", "hide": [1, 2]}}},
            "sex": {"role": "quasi_identifier", "hierarchy": "suppress"},
            "illness": "sensitive",
        },
    }
    released = [(f"released, k = {k}", ks.anonymize(raw, {**policy, "privacy": {"k": k}})) for k in (2, 5, 10, 50)]
    return [("raw", raw), ("raw, ages in tens", raw.assign(age=raw["age"] // 10)), *released]


if __name__ == "__main__":
    main()
