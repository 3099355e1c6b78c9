"""Arguments of the templates that apply privacy models to classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kanon_sql.artifacts import CodedColumn, CodedValues, FrequencyTable
from kanon_sql.models import KAnonymity, Model, Rules, Values
from kanon_sql.tables import TableName

CarriedColumns = Sequence[tuple[CodedColumn, int]]  # columns whose parts of the class key stay with a class, each at its level


@dataclass(frozen=True)
class NumberedModel:
    """A model, and the number of its measure."""

    number: int
    model: Model
    failing_below: str | None = None  # template of the share of rows that fail at every finer node; None means not asked for


@dataclass(frozen=True)
class MeasureGroup:
    """Models whose measures one query takes from the same sensitive values."""

    values: CodedValues
    models: tuple[NumberedModel, ...]
    template: str
    needs: frozenset[str]
    is_label: bool = False  # the query also counts the most frequent value, which cm reads
    counts_rows: bool = False  # the query also counts the rows of classes

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of the group's measures."""
        return frozenset(m.number for m in self.models)


@dataclass(frozen=True)
class ModelArguments:
    """The models of a policy as templates need them."""

    size_models: tuple[KAnonymity, ...]
    groups: tuple[MeasureGroup, ...]
    measures: tuple[int, ...]
    persons: bool  # persons are counted instead of rows
    has_label: bool
    failing_below: bool  # classes also get the share of their rows that fail at every finer node

    @property
    def counted(self) -> str:
        """The column that holds the size of a class."""
        return "persons" if self.persons else "class_size"

    @property
    def needs_only_sizes(self) -> bool:
        """Whether the number of rows of a class decides alone."""
        return not self.groups and not self.persons

    def to_dict(self) -> dict[str, Any]:
        """Return the arguments by the names that templates use."""
        return {
            "size_models": self.size_models,
            "groups": self.groups,
            "measures": self.measures,
            "persons": self.persons,
            "counted": self.counted,
            "has_label": self.has_label,
            "failing_below": self.failing_below,
        }

    def for_values(self, template: str, key_count: int) -> dict[str, Any]:
        """Return the arguments with the query of the values of classes, whose first columns are their keys."""
        return {**self.to_dict(), "values_template": template, "key_count": key_count, "carried": ()}

    def counting_rows_once(self) -> ModelArguments:
        """Return arguments whose first group also counts the rows of classes, if it can.

        This saves a scan, but leaves nothing of a class except its verdict.
        """
        if self.persons or not self.groups or self.groups[0].template == "judge/measured/tree.sql":
            return self
        return replace(self, groups=(replace(self.groups[0], counts_rows=True), *self.groups[1:]))


@dataclass(frozen=True)
class CombinationTables:
    """Tables of counted combinations: the frequency table, one per sensitive value by its number, and that of persons."""

    table: TableName
    values: dict[int, TableName]
    persons: TableName | None


@dataclass(frozen=True)
class ClassSlice:
    """Some classes of a node: those whose part of one quasi-identifier has a remainder, so no class is cut in two."""

    part: str
    divisor: int
    remainder: int


@dataclass(frozen=True)
class ClassArguments:
    """The classes of a node as templates need them."""

    tables: CombinationTables
    keys: list[list[str]] | None  # None means that each combination is a class
    models: ModelArguments
    carried: CarriedColumns = ()
    keeps_keys: bool = False  # classes keep their keys and measures
    sliced: ClassSlice | None = None  # None means all classes

    @property
    def classes_template(self) -> str:
        """The query of the classes and their sizes."""
        unit = "combinations" if self.keys is None else "persons" if self.models.persons else "rows"
        return f"evaluate/classes/of_{unit}.sql"

    @property
    def judged_template(self) -> str:
        """The query of the classes and whether they fail."""
        groups = self.models.groups
        if not groups:
            return "evaluate/judged/by_size.sql"
        alone = len(groups) == 1 and groups[0].counts_rows
        return "evaluate/judged/by_one_group.sql" if alone else "evaluate/judged/by_groups.sql"

    def to_dict(self) -> dict[str, Any]:
        """Return the arguments by the names that templates use, those of the models included."""
        return {
            **self.models.to_dict(),
            "frequencies": self.tables.table,
            "tables": self.tables.values,
            "person_table": self.tables.persons,
            "keys": self.keys,
            "key_count": len(self.keys or ()),
            "carried": self.carried,
            "keeps_keys": self.keeps_keys,
            "sliced": self.sliced,
            "classes_template": self.classes_template,
            "judged_template": self.judged_template,
            "values_template": f"evaluate/values/of_{'persons' if self.models.persons else 'rows'}.sql",
        }


def combination_tables(frequencies: FrequencyTable) -> CombinationTables:
    """Return the tables that were counted from the source."""
    return CombinationTables(frequencies.table, {v.number: v.table for v in frequencies.values}, frequencies.person_table)


def model_arguments(
    rules: Rules, values: Sequence[CodedValues], label: CodedValues | None = None, *, persons: bool = False, failing_below: bool = False
) -> ModelArguments:
    """Return the arguments of the templates that apply models to classes."""
    return ModelArguments(
        size_models=rules.of_size,
        groups=tuple(_measure_groups(rules, values, label, persons=persons, failing_below=failing_below)),
        measures=tuple(m.number for m in numbered_measures(rules)),
        persons=persons,
        has_label=label is not None,
        failing_below=failing_below,
    )


def numbered_measures(rules: Rules) -> list[NumberedModel]:
    """Return the models of sensitive values, each with the number of its measure."""
    return [NumberedModel(number, model) for number, model in enumerate(rules.models, start=1) if model.values is not None]


def _measure_groups(
    rules: Rules, values: Sequence[CodedValues], label: CodedValues | None, *, persons: bool, failing_below: bool
) -> list[MeasureGroup]:
    """Return the groups that cover all models and the label, as few as possible."""
    by_values = {coded.values: coded for coded in values}
    groups: dict[tuple[Values, str], list[NumberedModel]] = {}
    for number, model in enumerate(rules.models, start=1):
        if model.values is not None:
            # Where persons are counted, shares of a class are no mixture of those of its parts: only whole classes fail below.
            asked = failing_below and (not persons or model.inherits(suppresses=True, persons=True))
            groups.setdefault((model.values, model.taken_from), []).append(
                NumberedModel(number, model, model.failing_below if asked else None)
            )
    if label is not None:
        by_values[label.values] = label
        groups.setdefault((label.values, "values"), [])
    return [
        MeasureGroup(
            by_values[read],
            tuple(models),
            f"judge/measured/{taken_from}.sql",
            frozenset(need for m in models for need in m.model.needs),
            is_label=label is not None and read == label.values and taken_from == "values",
        )
        for (read, taken_from), models in groups.items()
    ]
