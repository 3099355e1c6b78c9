"""The Adult data grown to many rows, from the files that ARX ships: adult.csv and one hierarchy per column."""

from __future__ import annotations

from pathlib import Path

import yaml

from benchmarks.fresh_process import in_fresh_process
from benchmarks.settings import Settings
from benchmarks.tables.cases import TABLE, Case
from benchmarks.tables.duckdb_files import FOLDER, create_once

SENSITIVE = "salary-class"
QUASI_IDENTIFIERS = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
_COLUMNS = (*QUASI_IDENTIFIERS, SENSITIVE)


def adult_case(data: Path) -> Case:
    """Return the case, with a policy that reads the hierarchies from the folder of the data."""
    hierarchies = {name: {"csv": str((data / f"adult_hierarchy_{name}.csv").resolve())} for name in QUASI_IDENTIFIERS}
    columns = {
        **{name: {"role": "quasi_identifier", "hierarchy": hierarchy} for name, hierarchy in hierarchies.items()},
        SENSITIVE: "sensitive",
        "amount": {"role": "sensitive", "accept_unique": True},
        "seen": "insensitive",
        "note": {"role": "insensitive", "accept_unique": True},
    }
    FOLDER.mkdir(exist_ok=True)
    policy = FOLDER / "adult.yml"
    request = {"table": TABLE, "publish": {"into": f"{TABLE}_anon"}, "privacy": {"k": 10}, "suppression": 0.02, "columns": columns}
    policy.write_text(yaml.safe_dump(request), encoding="utf-8")
    return Case("adult", "the Adult data, grown with 2 % of the cells replaced", policy)


def adult_file(data: Path, settings: Settings) -> Path:
    """Return the file with the table; create it if it is missing."""
    return create_once(f"adult_{settings.rows}", lambda file: in_fresh_process(_grow, file, data / "adult.csv", settings))


def _grow(file: Path, data: Path, settings: Settings) -> None:
    """Repeat the rows; one cell in fifty comes from another row, which keeps the frequency of combinations."""
    with settings.open(file) as connection:
        connection.execute(
            "create temp table adult as select row_number() over () - 1 as person, * from read_csv($1, delim = ';', all_varchar = true)",
            [str(data)],
        )
        ((people,),) = connection.execute("select count(*) from adult").fetchall()
        for index, name in enumerate(_COLUMNS):
            connection.execute(f'set variable column_{index} = (select list("{name}" order by person) from adult)')
        cells = [_cell(index, name, people) for index, name in enumerate(_COLUMNS)]
        kept = [
            "(hash(i * 16 + 11) % 1000000) / 64.0 as amount",
            "date '2015-01-01' + (hash(i * 16 + 12) % 3650)::integer as seen",
            "'note ' || hash(i * 16 + 13) % 100000 as note",
        ]
        rows = f"range({settings.rows}) as r(i) join adult on person = i % {people}"
        connection.execute(f"create table {TABLE} as select {', '.join(cells + kept)} from {rows}")
        connection.execute("checkpoint")


def _cell(index: int, name: str, people: int) -> str:
    other = f"getvariable('column_{index}')[1 + (hash(i * 16 + {index} + 100000) % {people})::integer]"
    value = f'case when hash(i * 16 + {index}) % 100 < 2 then {other} else "{name}" end'
    return f'cast({value} as {"integer" if name == "age" else "varchar"}) as "{name}"'
