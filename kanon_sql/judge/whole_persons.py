"""Suppression of whole persons: a person with a row in a failing class loses all rows, in rounds until no class fails."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.artifacts import FrequencyTable
from kanon_sql.common.countdown import Countdown
from kanon_sql.judge.arguments import CarriedColumns, ClassArguments, CombinationTables, ModelArguments, combination_tables
from kanon_sql.lattice import Node
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import describe_temporary


@dataclass(frozen=True)
class WholePersons:
    """The classes of a node in two parts each, published and suppressed, and the codes of the published persons."""

    classes: TableName
    persons: TableName


# Under k-anonymity and distinct l-diversity, a class that passes still passes with more rows. The union of two sets of persons whose
# classes all pass is therefore such a set too. So a largest set exists, and no round removes a person of it. A set that passes at a
# node passes at every more general node, whose classes are unions: the number of suppressed rows never grows upwards, and searches may
# infer. Other models can fail with more rows, so nothing is inferred from the rows they suppress.
def suppress_persons(
    workspace: Workspace, frequencies: FrequencyTable, node: Node, models: ModelArguments, carried: CarriedColumns
) -> WholePersons:
    """Return the classes of a node once all persons with a row in a failing class are suppressed."""
    if frequencies.persons is None or frequencies.person_table is None:
        raise AssertionError("a policy that suppresses whole persons names an entity")
    keys = frequencies.key_parts(node)
    tables, round_number = combination_tables(frequencies), 0
    remaining, countdown = frequencies.rows, Countdown("the suppression of persons")  # every person has a row
    while True:
        arguments = ClassArguments(tables, keys, models, carried, keeps_keys=True).to_dict()
        classes = workspace.tables.create(f"left_{round_number}", "recode/classes", **arguments)
        if keys:
            workspace.tables.index(classes, "key_1")
        failing = {"classes": classes, "person_table": tables.persons, "keys": keys}
        persons = workspace.tables.create(f"failing_{round_number}", "judge/whole_persons/failing", **failing)
        (count,) = workspace.fetch_one("judge/whole_persons/count", persons=persons)
        if count == 0:
            break
        workspace.tables.index(persons, "person")
        remaining -= count
        countdown.require_less(remaining)
        kept = _without(workspace, tables, persons, round_number)
        _drop_round(workspace, frequencies, tables, classes, persons)
        tables, round_number = kept, round_number + 1
    codes = _kept_codes(workspace, frequencies.persons, tables)
    columns = {"measures": models.measures, "has_label": models.has_label, "keys": keys, "carried": carried}
    both = {"classes": classes, "person_table": frequencies.person_table, "kept": codes, **columns}
    found = WholePersons(workspace.tables.create("parts", "judge/whole_persons/parts", **both), codes)
    _drop_round(workspace, frequencies, tables, classes, persons)
    return found


def _kept_codes(workspace: Workspace, persons: TableName, tables: CombinationTables) -> TableName:
    """Return the codes of the persons that stay published, indexed by value for the release and by code for the classes."""
    codes = workspace.tables.create("kept_persons", "judge/whole_persons/codes", persons=persons, person_table=tables.persons)
    if workspace.backend.needs_indexes:
        value = describe_temporary(workspace, codes).columns[0]
        workspace.tables.index(codes, "value", is_text=value.kind == "text")
        workspace.tables.index(codes, "code")
    return codes


def _without(workspace: Workspace, tables: CombinationTables, persons: TableName, round_number: int) -> CombinationTables:
    """Return the combinations without those of some persons; a table that several codes share stays one table."""
    made: dict[TableName, TableName] = {}
    for number, table in enumerate(dict.fromkeys([tables.persons, *tables.values.values()])):
        if table is not None:
            name = f"kept_{round_number}_{number}"
            made[table] = workspace.tables.create(name, "judge/whole_persons/kept", combinations=table, persons=persons)
    values = {number: made[table] for number, table in tables.values.items()}
    return CombinationTables(tables.table, values, made[tables.persons] if tables.persons else None)


def _drop_round(workspace: Workspace, frequencies: FrequencyTable, tables: CombinationTables, *others: TableName) -> None:
    """Drop the tables of a round, but not the counted combinations."""
    counted = combination_tables(frequencies)
    stays = {counted.persons, *counted.values.values()}
    made = dict.fromkeys((tables.persons, *tables.values.values()))
    workspace.tables.drop(*others, *(table for table in made if table is not None and table not in stays))
