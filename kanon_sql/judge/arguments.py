"""What the templates that judge classes are told: which models look at which values, and how their measures are taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kanon_sql.artifacts import CodedValues, FrequencyTable
from kanon_sql.lattice import Node
from kanon_sql.models import Model, Rules, Values
from kanon_sql.tables import TableName


@dataclass(frozen=True)
class NumberedModel:
    """A model, and the number of its measure."""

    number: int
    model: Model
    doomed: str | None = None  # the template of the share of rows that fail however a class is divided, where it is asked for


@dataclass(frozen=True)
class Judgement:
    """One look at the values of classes: measures that are taken alike from the same values."""

    values: CodedValues
    models: tuple[NumberedModel, ...]
    measured: str
    needs: frozenset[str]
    is_label: bool = False  # the largest count of a value is the majority that cm is about
    counts_rows: bool = False  # how large classes are is told here, so that no other look is needed for it

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of its measures."""
        return frozenset(m.number for m in self.models)


@dataclass(frozen=True)
class CombinationTables:
    """Where combinations are counted: the frequency table, those of sensitive values by their numbers, that of persons."""

    table: TableName
    values: dict[int, TableName]
    persons: TableName | None


def combination_tables(frequencies: FrequencyTable) -> CombinationTables:
    """The tables that were counted from the source."""
    return CombinationTables(frequencies.table, {v.number: v.table for v in frequencies.values}, frequencies.person_table)


def classes_at(frequencies: FrequencyTable, node: Node, counted: CombinationTables) -> dict[str, Any]:
    """The arguments of every template that finds the classes of a node and their values."""
    keys = frequencies.key_parts(node)
    return {
        "frequencies": counted.table,
        "tables": counted.values,
        "person_table": counted.persons,
        "keys": keys,
        "key_count": len(keys),
        "valued": "evaluate/valued.sql",
    }


def judging(
    rules: Rules, values: Sequence[CodedValues], label: CodedValues | None = None, *, persons: bool = False, dooms: bool = False
) -> dict[str, Any]:
    """The arguments of every template that judges classes; also by how many of their rows fail at every node below, if asked for."""
    return {
        "sized": rules.of_size,
        "judgements": judgements(rules, values, label, persons=persons, dooms=dooms),
        "dooms": dooms,
        "measures": [number for number, model in enumerate(rules.models, start=1) if model.values is not None],
        "persons": persons,
        "counted": "persons" if persons else "class_size",
        "has_label": label is not None,
    }


def judging_at_once(looks: dict[str, Any]) -> dict[str, Any]:
    """The same where the first look at values may also count the rows of classes: nobody asks for more of a class than a verdict needs."""
    listed = looks["judgements"]
    if looks["persons"] or not listed or listed[0].measured == "judge/measured/tree.sql":
        return looks
    return {**looks, "judgements": [replace(listed[0], counts_rows=True), *listed[1:]]}


def judging_of_sides(rules: Rules, frequencies: FrequencyTable) -> dict[str, Any]:
    """The arguments of the templates that judge both sides of cuts."""
    looks = judging(rules, frequencies.values, persons=frequencies.counts_persons)
    return {**looks, "valued": "evaluate/cuts/sided_values.sql", "key_count": 3, "carried": (), "side_rows": rules.sufficient_rows}


def judging_of_regions(rules: Rules, frequencies: FrequencyTable) -> dict[str, Any]:
    """The arguments of the templates that judge the classes of a partition."""
    looks = judging(rules, frequencies.values, frequencies.label, persons=frequencies.counts_persons)
    return {**looks, "valued": "recode/region_valued.sql", "key_count": 1, "carried": ()}


def numbered_measures(rules: Rules) -> list[NumberedModel]:
    """The models of sensitive values, each with the number of its measure."""
    return [NumberedModel(number, model) for number, model in enumerate(rules.models, start=1) if model.values is not None]


def judgements(
    rules: Rules, values: Sequence[CodedValues], label: CodedValues | None = None, *, persons: bool = False, dooms: bool = False
) -> list[Judgement]:
    """The looks that all models and the label need, as few as possible."""
    by_values = {coded.values: coded for coded in values}
    groups: dict[tuple[Values, str], list[NumberedModel]] = {}
    for number, model in enumerate(rules.models, start=1):
        if model.values is not None:
            # Where persons are counted, shares of a class are no mixture of those of its parts: only whole classes are doomed.
            told = dooms and (not persons or model.inherits(suppresses=True, persons=True))
            groups.setdefault((model.values, model.taken_from), []).append(NumberedModel(number, model, model.doomed if told else None))
    if label is not None:
        by_values[label.values] = label
        groups.setdefault((label.values, "values"), [])
    return [
        Judgement(
            by_values[looked_at],
            tuple(models),
            f"judge/measured/{taken_from}.sql",
            frozenset(need for m in models for need in m.model.needs),
            is_label=label is not None and looked_at == label.values and taken_from == "values",
        )
        for (looked_at, taken_from), models in groups.items()
    ]
