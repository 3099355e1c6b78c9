"""The cases: a source table in a DuckDB file and the policy it is published with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kanon_sql.common.resources import resource_folder

TABLE = "patients"


@dataclass(frozen=True)
class Case:
    """One table and its policy."""

    name: str
    description: str
    policy: Path


HOSPITAL = Case(
    "hospital",
    "the demo's patients and the example policy; with birth date and 5-digit zip nearly every row is a separate combination",
    resource_folder("examples") / "hospital" / "patients.yml",
)
COARSE = Case(
    "coarse",
    "the same patients with birth year and 2-digit zip; many rows share a combination",
    Path(__file__).parent / "coarse_patients.yml",
)
CENSUS = Case(
    "census",
    "a synthetic census with eight quasi-identifiers, grown from 30,162 rows with 2 % of the cells replaced; the search finds the best of"
    " 6,480 nodes",
    Path(__file__).parent / "census.yml",
)
CASES = (HOSPITAL, COARSE, CENSUS)
