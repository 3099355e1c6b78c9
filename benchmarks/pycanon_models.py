"""Compare k, l, entropy l, t and α of raw and released tables with those of pycanon: python -m benchmarks.pycanon_models."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from math import floor
from pathlib import Path

import duckdb
import pandas as pd

import kanon_sql as ks

ENVIRONMENT = Path(__file__).parents[1] / ".venv-pycanon"
QUASI_IDENTIFIERS = ["age", "zip", "sex"]
_PYCANON_PROGRAM = """
import json, sys
import pandas as pd
from pycanon import anonymity
names, column = json.loads(sys.argv[2]), [sys.argv[3]]
table = pd.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
figures = {
    "k": anonymity.k_anonymity(table, names),
    "l": anonymity.l_diversity(table, names, column),
    "entropy l": anonymity.entropy_l_diversity(table, names, column),
    "t": anonymity.t_closeness(table, names, column),
    "alpha": anonymity.alpha_k_anonymity(table, names, column)[0],
}
print(json.dumps({name: float(figure) for name, figure in figures.items()}))
"""
# The weakest limits, so all models are measured.
_MODELS = {
    "l_diversity": [{"column": "illness", "l": 2}, {"column": "illness", "l": 1.01, "kind": "entropy"}],
    "t_closeness": [{"column": "illness", "t": 1}],
    "alpha_k": [{"column": "illness", "alpha": 1}],
}
TOLERANCE = 1e-9


def main() -> None:
    """Print both figures per table, and exit with an error if they differ."""
    python = _environment()
    differ = False
    for name, table in _tables():
        ours, theirs = _measure_with_kanon(table), _measure_with_pycanon(python, table)
        for figure, value in theirs.items():
            equal = abs(ours[figure] - value) <= TOLERANCE
            differ = differ or not equal
            print(f"{name}, {figure}: kanon_sql {ours[figure]:.9g}, pycanon {value:.9g}{'' if equal else ' DIFFER'}")
    if differ:
        sys.exit("the figures differ")


def _environment() -> Path:
    """Return the Python of a separate environment with pycanon, which pins old pandas, numpy and typer; create it on first use."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        venv.create(ENVIRONMENT, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "pycanon"], check=True)
    return python


def _measure_with_pycanon(python: Path, table: pd.DataFrame) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        table.to_csv(file, index=False)
        arguments = [str(python), "-c", _PYCANON_PROGRAM, str(file), json.dumps(QUASI_IDENTIFIERS), "illness"]
        found: dict[str, float] = json.loads(subprocess.run(arguments, check=True, capture_output=True, text=True).stdout)
    return found


def _measure_with_kanon(table: pd.DataFrame) -> dict[str, float]:
    """Return the figures of `kanon check`; entropy l is rounded down, as pycanon does."""
    columns = {name: {"role": "quasi_identifier", "hierarchy": "suppress"} for name in QUASI_IDENTIFIERS}
    policy = {"table": "t", "publish": {"into": "u"}, "privacy": {"k": 2, **_MODELS}, "columns": {**columns, "illness": "sensitive"}}
    connection = duckdb.connect()
    connection.register("frame", table.astype(str))
    connection.execute("create table t as select * from frame")
    privacy = ks.check(connection, "t", policy=policy).to_dict()["privacy"]
    by_kind = {rule["kind"]: rule["reached"] for rule in privacy["l_diversity"]}
    return {
        "k": ks.risk(table, quasi_identifiers=QUASI_IDENTIFIERS).k or 0,
        "l": by_kind["distinct"],
        "entropy l": floor(by_kind["entropy"] + TOLERANCE),
        "t": privacy["t_closeness"][0]["reached"],
        "alpha": privacy["alpha_k"][0]["reached"],
    }


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
