"""Check that privacy models and the columns they use fit together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from pydantic import model_validator

from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.common.checked import Checked
from kanon_sql.common.spelling import did_you_mean
from kanon_sql.models import VALUE_RULES, Rules, ValueRule, Values
from kanon_sql.policy.columns import ColumnRule
from kanon_sql.policy.limits import Limits
from kanon_sql.policy.privacy import Privacy, Suppression


class ModelledPolicy(Checked):
    """The part of a policy that relates privacy models and costs to columns."""

    if TYPE_CHECKING:
        privacy: Privacy
        cost: tuple[str, ...]
        label: str | None
        entity: str | None
        suppression: Suppression
        algorithm: str
        columns: dict[str, ColumnRule]
        limits: Limits

    @model_validator(mode="before")
    @classmethod
    def _hierarchies_of_models(cls, value: Any) -> Any:
        return with_model_hierarchies(value) if isinstance(value, Mapping) else value

    @model_validator(mode="after")
    def _models_fit_columns(self) -> Self:
        require_fitting_models(self.privacy, self.columns)
        if self.suppression.unit == "entity" and self.entity is None:
            raise ValueError(
                "suppression: unit: entity needs a column that identifies persons; name it with entity: column, or write unit: row"
            )
        if self.suppression.unit == "entity" and ALGORITHMS[self.algorithm].suppresses == "rows":
            raise ValueError(
                f"suppression: algorithm: {self.algorithm} suppresses single rows; write unit: row, or choose another algorithm"
            )
        return self

    @property
    def label_column(self) -> str | None:
        """The column that cm uses, if cm is a cost or has a limit: the one named by label, or the first sensitive one."""
        asked = "cm" in self.cost or bool({"cm", "cm_share"} & self.limits.root.keys())
        if self.label is not None or not asked:
            return self.label
        return next((name for name, rule in self.columns.items() if rule.role == "sensitive"), None)

    @property
    def models(self) -> Rules:
        """The privacy models that must hold."""
        rules = self.privacy.rules(persons=self.entity is not None)
        whole = self.suppression.unit == "entity" and ALGORITHMS[self.algorithm].suppresses == "persons"
        return replace(rules, whole_persons=whole)

    @property
    def sensitive_values(self) -> tuple[Values, ...]:
        """The sensitive values that models and costs use, each once."""
        label = [] if self.label_column is None else [Values(self.label_column)]
        return tuple(dict.fromkeys([*self.models.sensitive_values, *label]))


def with_model_hierarchies(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the policy with the hierarchies next to models moved to their columns, where all other hierarchies are."""
    privacy, columns = value.get("privacy"), value.get("columns")
    if not isinstance(privacy, Mapping) or not isinstance(columns, Mapping):
        return dict(value)
    moved, changed = dict(columns), dict(privacy)
    for key, kind in VALUE_RULES.items():
        rules = privacy.get(key)
        rules = [rules] if isinstance(rules, Mapping) else rules
        if not isinstance(rules, list | tuple):
            continue
        changed[key] = [_moved(f"privacy.{key}.{place}", rule, moved, kind) for place, rule in enumerate(rules)]
    return {**value, "privacy": changed, "columns": moved}


def _moved(where: str, rule: Any, columns: dict[str, Any], kind: type[ValueRule]) -> Any:
    """Return the rule without its hierarchy, which goes to the column; values are grouped by level 1 unless the rule says otherwise."""
    if not isinstance(rule, Mapping) or "hierarchy" not in rule:
        return rule
    name = rule.get("column")
    column = columns.get(name) if isinstance(name, str) else None
    if column is not None and isinstance(name, str):
        stated = {"role": column} if isinstance(column, str) else column
        if isinstance(stated, Mapping):
            if stated.get("hierarchy", rule["hierarchy"]) != rule["hierarchy"]:
                raise ValueError(f"{where}: column {name!r} already has a different hierarchy; keep one of the two")
            columns[name] = {**stated, "hierarchy": rule["hierarchy"]}
    rest = {key: value for key, value in rule.items() if key != "hierarchy"}
    return rest if rule.get("kind") in kind.ungrouped_kinds or "level" in rest or "bins" in rest else {**rest, "level": 1}


def require_fitting_models(privacy: Privacy, columns: Mapping[str, ColumnRule]) -> None:
    """Raise if a model's column is not sensitive or lacks a hierarchy, or if a sensitive column has a hierarchy without a model."""
    for key, place, rule in privacy.value_rules:
        where, column = f"privacy.{key}.{place}", columns.get(rule.column)
        if column is None:
            raise ValueError(f"{where}: there is no column {rule.column!r} under columns{did_you_mean(rule.column, columns)}")
        if column.role != "sensitive":
            why = ", because others may already know a quasi-identifier" if column.role == "quasi_identifier" else ""
            raise ValueError(f"{where}: column {rule.column!r} has the role {column.role}; the model needs a sensitive column{why}")
        if column.hierarchy is None and rule.needs_hierarchy:
            raise ValueError(
                f"{where}: column {rule.column!r} needs a hierarchy; add it next to the column name here, or to the column under columns"
            )
    about = {rule.column for _, _, rule in privacy.value_rules}
    for name, column in columns.items():
        if column.role == "sensitive" and column.hierarchy is not None and name not in about:
            raise ValueError(
                f"columns.{name}: hierarchy is only for the role quasi_identifier, and for sensitive columns that a privacy model uses"
            )
