"""Everything a release must satisfy: models of classes, average risk, and suppression of whole persons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kanon_sql.models.average_risk import AverageRisk
from kanon_sql.models.k_anonymity import KAnonymity
from kanon_sql.models.model import Model, Values


@dataclass(frozen=True)
class Rules:
    """The privacy models of a policy; the index of a model is the number of its measure."""

    models: tuple[Model, ...]
    average_risk: AverageRisk | None = None
    whole_persons: bool = False  # a person with a row that must be suppressed is suppressed with all rows

    def __iter__(self) -> Iterator[Model]:
        return iter(self.models)

    @property
    def k(self) -> int:
        """The k that every class must reach; 1 means not set."""
        return max((model.k for model in self.models if isinstance(model, KAnonymity)), default=1)

    @property
    def of_size(self) -> tuple[KAnonymity, ...]:
        """The models about the sizes of classes alone."""
        return tuple(model for model in self.models if isinstance(model, KAnonymity))

    @property
    def sensitive_values(self) -> tuple[Values, ...]:
        """The sensitive values they use, each once."""
        return tuple(dict.fromkeys(model.values for model in self.models if model.values is not None))

    @property
    def compared_with_reference(self) -> frozenset[Values]:
        """The sensitive values whose distribution is compared with that of the source."""
        return frozenset(model.values for model in self.models if model.values is not None and "reference" in model.needs)

    @property
    def has_more_than_sizes(self) -> bool:
        """Whether anything is required in addition to the sizes of classes."""
        return bool(self.sensitive_values) or self.average_risk is not None

    @property
    def least_rows(self) -> int:
        """The rows below which every class fails."""
        return max((model.least_rows for model in self.models), default=1)

    @property
    def sufficient_rows(self) -> int:
        """The rows per class that satisfy the rules for the whole release, however many classes there are."""
        return 1 if self.average_risk is None else self.average_risk.sufficient_rows

    def holds_as_whole(self, classes: int, rows: int) -> bool:
        """Return whether this number of published classes and rows satisfies the rules for the whole release."""
        return self.average_risk is None or self.average_risk.holds(classes, rows)

    def inherits(self, *, suppresses: bool, persons: bool) -> bool:
        """Return whether every node more general than an accepted one is accepted."""
        whole = self.average_risk is None or self.average_risk.inherits(suppresses=suppresses)
        return whole and all(model.inherits(suppresses=suppresses, persons=persons) for model in self.models)

    def in_words(self) -> str:
        """Return all rules in a few words."""
        rules = [model.in_words() for model in self.models]
        return ", ".join([*rules, *([self.average_risk.in_words()] if self.average_risk else [])])

    def of_rows(self) -> Rules:
        """Return the rules that rows alone can prove: sizes, and the whole release."""
        return replace(self, models=self.of_size)

    def sizes_only(self) -> Rules:
        """Return the rules that the sizes of classes alone can prove."""
        return replace(self, models=self.of_size, average_risk=None)
