"""The policy: what a release of one table must satisfy, and how it is made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BeforeValidator, field_validator, model_validator

from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.common.spelling import require_known
from kanon_sql.hierarchy import Line, Rule
from kanon_sql.metrics import COSTS
from kanon_sql.partition import Mondrian
from kanon_sql.policy.columns import ColumnRule
from kanon_sql.policy.limits import Limits, require_placeholders, require_published
from kanon_sql.policy.modelled import ModelledPolicy
from kanon_sql.policy.privacy import Privacy, Suppression
from kanon_sql.policy.publish import Publish
from kanon_sql.policy.running import Grants, Hook, Timeout
from kanon_sql.policy.source import Condition, Query, Table
from kanon_sql.tables import TableName

__all__ = ["RUNNING", "ColumnRule", "Grants", "Policy", "Privacy", "Publish", "Query", "Suppression"]

Others = Literal["error", "drop", "keep"]
AlgorithmName = Annotated[str, BeforeValidator(lambda value: require_known(value, ALGORITHMS))]
CostName = Annotated[str, BeforeValidator(lambda value: require_known(value, COSTS))]
OnDependent = Literal["warn", "error"]  # if a kept column depends on a quasi-identifier
# The keys about the run, not about what is published.
RUNNING = ("dependent", "grants", "pre_hook", "post_hook", "lock_timeout", "statement_timeout", "tags")


class Policy(ModelledPolicy):
    """One table's policy."""

    table: Table
    where: Condition | None = None
    publish: Publish
    privacy: Privacy
    suppression: Suppression = Suppression()
    algorithm: AlgorithmName = "auto"
    mondrian: Mondrian = Mondrian()
    cost: tuple[CostName, ...] = ("geniloss",)
    time_budget: Timeout = None
    label: str | None = None
    entity: str | None = None
    columns: dict[str, ColumnRule]
    limits: Limits = Limits()
    queries: tuple[str, ...] = ()
    others: Others = "error"
    dependent: OnDependent = "warn"
    grants: Grants = Grants()
    pre_hook: Hook = ()
    post_hook: Hook = ()
    lock_timeout: Timeout = None
    statement_timeout: Timeout = None
    tags: Annotated[tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)] = ()

    @field_validator("cost", mode="before")
    @classmethod
    def _costs_in_order(cls, value: object) -> object:
        costs = (value,) if isinstance(value, str) else value
        if isinstance(costs, list | tuple) and not costs:
            raise ValueError("name at least one cost")
        if isinstance(costs, list | tuple) and len(set(map(str, costs))) < len(costs):
            raise ValueError("a cost is listed twice; list it once")
        return costs

    @field_validator("suppression", mode="before")
    @classmethod
    def _limit(cls, value: object) -> object:
        return value if isinstance(value, Mapping | Suppression) else {"limit": value}

    @field_validator("columns", mode="before")
    @classmethod
    def _short_roles(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            raise ValueError("must map each column to its role, such as {age: quasi_identifier}")
        for name in value:
            if not isinstance(name, str):
                raise ValueError(f"column name {name!r} is read as {type(name).__name__}; put it in quotes")
        return {name: {"role": rule} if isinstance(rule, str) else rule for name, rule in value.items()}

    @model_validator(mode="after")
    def _has_quasi_identifier(self) -> Self:
        if not self.quasi_identifiers:
            raise ValueError("columns: no column has the role quasi_identifier; give it to every column that others may know of a person")
        if "cm" in self.cost and self.label_column is None:
            raise ValueError("cost: cm needs a label column; name it with label: column, or give a column the role sensitive")
        published = {name for name, rule in self.columns.items() if rule.role != "quasi_identifier" and not rule.is_dropped}
        require_published(self.limits, lambda name: name in published or (self.others == "keep" and name not in self.columns))
        require_placeholders(self.queries)
        return self

    @model_validator(mode="after")
    def _has_rows_to_replace(self) -> Self:
        if self.publish.in_place and isinstance(self.table, Query):
            raise ValueError("publish: the rows of a query cannot be replaced in place; write into: and the name of a new table")
        if self.publish.in_place and self.where is not None:
            raise ValueError("where: in place, the rows that it leaves out would be lost; write publish: {into: name}, or remove where")
        if self.publish.in_place and self.grants.select:
            raise ValueError("grants: in place, the table keeps its permissions; remove grants")
        if self.where is not None and isinstance(self.table, Query):
            raise ValueError("where: is for a table; write the condition into the query instead")
        return self

    @property
    def quasi_identifiers(self) -> dict[str, ColumnRule]:
        """The quasi-identifiers, in policy order."""
        return {name: rule for name, rule in self.columns.items() if rule.role == "quasi_identifier"}

    @property
    def source(self) -> TableName:
        """The table or view to read; for a query, the name `query`."""
        return TableName(("query",)) if isinstance(self.table, Query) else TableName.parse(self.table)

    @property
    def target(self) -> TableName:
        """The name of the release; without a schema it is in the schema of the source."""
        return self.source if self.publish.into is None else TableName.parse(self.publish.into)

    def with_hierarchies(self, hierarchies: Mapping[str, Rule]) -> Policy:
        """Return the same policy with these hierarchies."""
        columns = {
            name: rule.model_copy(update={"hierarchy": hierarchies[name]}) if name in hierarchies else rule
            for name, rule in self.columns.items()
        }
        return self.model_copy(update={"columns": columns})

    def to_dict(self) -> dict[str, Any]:
        """Return the policy as plain values, as in a file."""
        value = self.model_dump(exclude_defaults=True)
        return value | {"cost": list(self.cost) if len(self.cost) > 1 else self.cost[0]} if "cost" in value else value

    @property
    def hierarchy_lines(self) -> dict[str, tuple[Line, ...]]:
        """The lines of the hierarchies that list their leaves, by column."""
        rules = {name: rule.hierarchy for name, rule in self.columns.items() if rule.hierarchy is not None}
        return {name: rule.listing.lines for name, rule in rules.items() if rule.listing is not None}

    @property
    def content_hash(self) -> str:
        """A hash of everything that determines what is published: policies with the same hash make the same release."""
        content = {key: value for key, value in self.to_dict().items() if key not in ("publish", "queries", *RUNNING)}
        return hashlib.sha256(json.dumps([content, self.hierarchy_lines], sort_keys=True).encode()).hexdigest()

    def to_yaml(self) -> str:
        """Return the policy as the text of a file."""
        return yaml.safe_dump(self.to_dict(), sort_keys=False, allow_unicode=True, default_flow_style=None)
