"""Suppression of whole persons: who has a row in a failing class loses all rows, again and again until no class fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kanon_sql.artifacts import CodedColumn, FrequencyTable
from kanon_sql.common.countdown import Countdown
from kanon_sql.judge.arguments import CombinationTables, classes_at, combination_tables
from kanon_sql.lattice import Node
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class WholePersons:
    """The classes of a node in two parts each, published and suppressed, and the codes of the persons that are published."""

    classes: TableName
    persons: TableName


# Under k and distinct l-diversity a class that holds still holds with more rows in it. So the union of two sets of persons whose classes
# all hold is such a set, too; there is a largest one, and no round takes anyone of it away. What holds at a node holds at every more
# general one, whose classes are unions: the largest set never shrinks upwards, the suppressed rows never grow, and searches may infer.
# Other models can fail with more rows, so nothing is inferred from what they suppress.
def suppress_persons(
    workspace: Workspace, frequencies: FrequencyTable, node: Node, looks: dict[str, Any], carried: Sequence[tuple[CodedColumn, int]]
) -> WholePersons:
    """What is left of a node, and what is not."""
    if frequencies.persons is None or frequencies.person_table is None:
        raise AssertionError("a policy that suppresses whole persons names an entity")
    tables, place = combination_tables(frequencies), 0
    left, countdown = frequencies.rows, Countdown("the suppression of persons")  # nobody is in no row
    while True:
        shape = classes_at(frequencies, node, tables)
        classes = workspace.tables.create(f"left_{place}", "recode/classes", **looks, **shape, carried=carried, keeps=True)
        failing = {"classes": classes, "person_table": tables.persons, "keys": shape["keys"]}
        persons = workspace.tables.create(f"failing_{place}", "judge/whole_persons/failing", **failing)
        (count,) = workspace.fetch_one("judge/whole_persons/count", persons=persons)
        if count == 0:
            break
        left -= count
        countdown.require_less(left)
        kept = _without(workspace, tables, persons, place)
        _forget(workspace, frequencies, tables, classes, persons)
        tables, place = kept, place + 1
    codes = workspace.tables.create("kept_persons", "judge/whole_persons/codes", persons=frequencies.persons, person_table=tables.persons)
    parts = {"measures": looks["measures"], "has_label": looks["has_label"], "keys": shape["keys"], "carried": carried}
    shape = {"classes": classes, "person_table": frequencies.person_table, "kept": codes, **parts}
    found = WholePersons(workspace.tables.create("parts", "judge/whole_persons/parts", **shape), codes)
    _forget(workspace, frequencies, tables, classes, persons)
    return found


def _without(workspace: Workspace, tables: CombinationTables, persons: TableName, place: int) -> CombinationTables:
    """The combinations without those of some persons; a table that several codes share stays one."""
    made: dict[TableName, TableName] = {}
    for number, table in enumerate(dict.fromkeys([tables.persons, *tables.values.values()])):
        if table is not None:
            made[table] = workspace.tables.create(f"kept_{place}_{number}", "judge/whole_persons/kept", combinations=table, persons=persons)
    values = {number: made[table] for number, table in tables.values.items()}
    return CombinationTables(tables.table, values, made[tables.persons] if tables.persons else None)


def _forget(workspace: Workspace, frequencies: FrequencyTable, tables: CombinationTables, *others: TableName) -> None:
    """Drops what a round made; the counted combinations stay."""
    counted = combination_tables(frequencies)
    made = {table for table in (tables.persons, *tables.values.values()) if table is not None}
    workspace.tables.drop(*others, *(made - {counted.persons, *counted.values.values()}))
