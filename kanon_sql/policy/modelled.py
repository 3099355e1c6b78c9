"""How privacy models and the columns they are about fit together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from pydantic import model_validator

from kanon_sql.common.checked import Checked
from kanon_sql.common.spelling import did_you_mean
from kanon_sql.models import VALUE_RULES, Rules, ValueRule, Values
from kanon_sql.policy.columns import ColumnRule
from kanon_sql.policy.limits import Limits
from kanon_sql.policy.privacy import Privacy, Suppression


class ModelledPolicy(Checked):
    """What of a policy its privacy models and costs need of columns; the keys themselves are the policy's."""

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
    def _hierarchies_of_models(cls, given: Any) -> Any:
        return with_model_hierarchies(given) if isinstance(given, Mapping) else given

    @model_validator(mode="after")
    def _models_fit_columns(self) -> Self:
        require_fitting_models(self.privacy, self.columns)
        if self.suppression.unit == "entity" and self.entity is None:
            raise ValueError("suppression: unit: entity is about persons; name their column with entity: column, or write unit: row")
        return self

    @property
    def label_column(self) -> str | None:
        """The column that cm is about, where it is asked for: the one named, or the first sensitive one."""
        asked = "cm" in self.cost or bool({"cm", "cm_share"} & self.limits.root.keys())
        if self.label is not None or not asked:
            return self.label
        return next((name for name, rule in self.columns.items() if rule.role == "sensitive"), None)

    @property
    def models(self) -> Rules:
        """The privacy models that must hold."""
        rules = self.privacy.rules(persons=self.entity is not None)
        return replace(rules, whole_persons=self.suppression.unit == "entity" and self.algorithm != "mondrian")

    @property
    def looked_at(self) -> tuple[Values, ...]:
        """What models and costs look at of sensitive columns, each once."""
        label = [] if self.label_column is None else [Values(self.label_column)]
        return tuple(dict.fromkeys([*self.models.looked_at, *label]))


def with_model_hierarchies(given: Mapping[str, Any]) -> dict[str, Any]:
    """The policy with hierarchies that stand beside a model moved to the column they are of, where every hierarchy stands."""
    privacy, columns = given.get("privacy"), given.get("columns")
    if not isinstance(privacy, Mapping) or not isinstance(columns, Mapping):
        return dict(given)
    moved, changed = dict(columns), dict(privacy)
    for key, kind in VALUE_RULES.items():
        rules = privacy.get(key)
        rules = [rules] if isinstance(rules, Mapping) else rules
        if not isinstance(rules, list | tuple):
            continue
        changed[key] = [_moved(f"privacy.{key}.{place}", rule, moved, kind) for place, rule in enumerate(rules)]
    return {**given, "privacy": changed, "columns": moved}


def _moved(where: str, rule: Any, columns: dict[str, Any], kind: type[ValueRule]) -> Any:
    """The rule without its hierarchy, which its column gets; to be grouped by, it is its first level unless another is named."""
    if not isinstance(rule, Mapping) or "hierarchy" not in rule:
        return rule
    name = rule.get("column")
    column = columns.get(name) if isinstance(name, str) else None
    if column is not None and isinstance(name, str):
        stated = {"role": column} if isinstance(column, str) else column
        if isinstance(stated, Mapping):
            if stated.get("hierarchy", rule["hierarchy"]) != rule["hierarchy"]:
                raise ValueError(f"{where}: column {name!r} has another hierarchy already; a column has one")
            columns[name] = {**stated, "hierarchy": rule["hierarchy"]}
    rest = {key: value for key, value in rule.items() if key != "hierarchy"}
    return rest if rule.get("kind") in kind.ungrouped_kinds or "level" in rest or "bins" in rest else {**rest, "level": 1}


def require_fitting_models(privacy: Privacy, columns: Mapping[str, ColumnRule]) -> None:
    """Every model is about a sensitive column that has what the model needs, and no other sensitive column has a hierarchy."""
    for key, place, rule in privacy.value_rules:
        where, column = f"privacy.{key}.{place}", columns.get(rule.column)
        if column is None:
            raise ValueError(f"{where}: columns has no {rule.column!r}{did_you_mean(rule.column, columns)}")
        if column.role != "sensitive":
            why = " (what others know of a person cannot be what is kept from them)" if column.role == "quasi_identifier" else ""
            raise ValueError(f"{where}: column {rule.column!r} is {column.role}; the model is about a sensitive one{why}")
        if column.hierarchy is None and rule.needs_hierarchy:
            raise ValueError(f"{where}: column {rule.column!r} needs a hierarchy, as hierarchy: beside it or at the column")
    about = {rule.column for _, _, rule in privacy.value_rules}
    for name, column in columns.items():
        if column.role == "sensitive" and column.hierarchy is not None and name not in about:
            raise ValueError(
                f"columns.{name}: only a quasi_identifier has a hierarchy, or a sensitive column that a privacy model is about"
            )
