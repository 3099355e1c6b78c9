"""All that a release must keep: models of classes, average risk, and whether persons are counted instead of rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kanon_sql.models.average_risk import AverageRisk
from kanon_sql.models.k_anonymity import KAnonymity
from kanon_sql.models.model import Model, Values


@dataclass(frozen=True)
class Rules:
    """The privacy models of a policy together; a model's place among them is the number of its measure."""

    models: tuple[Model, ...]
    average_risk: AverageRisk | None = None
    whole_persons: bool = False  # who has a row that must be suppressed is suppressed with all rows

    def __iter__(self) -> Iterator[Model]:
        return iter(self.models)

    @property
    def k(self) -> int:
        """The k that every class must reach, 1 where none is asked for."""
        return max((model.k for model in self.models if isinstance(model, KAnonymity)), default=1)

    @property
    def of_size(self) -> tuple[KAnonymity, ...]:
        """Those that are about nothing but how large classes are."""
        return tuple(model for model in self.models if isinstance(model, KAnonymity))

    @property
    def looked_at(self) -> tuple[Values, ...]:
        """What they look at of sensitive columns, each once."""
        return tuple(dict.fromkeys(model.values for model in self.models if model.values is not None))

    @property
    def compared_with_reference(self) -> frozenset[Values]:
        """What of them is compared with how the source distributes it."""
        return frozenset(model.values for model in self.models if model.values is not None and "reference" in model.needs)

    @property
    def has_more_than_sizes(self) -> bool:
        """Whether anything is asked beside how large classes are."""
        return bool(self.looked_at) or self.average_risk is not None

    @property
    def least_rows(self) -> int:
        """A class with fewer rows fails for sure."""
        return max((model.least_rows for model in self.models), default=1)

    @property
    def sufficient_rows(self) -> int:
        """Classes of at least so many rows each keep what is asked of a release as a whole, however many they are."""
        return 1 if self.average_risk is None else self.average_risk.sufficient_rows

    def holds_as_whole(self, classes: int, rows: int) -> bool:
        """Whether so many published classes of so many rows keep what is asked of a release as a whole."""
        return self.average_risk is None or self.average_risk.holds(classes, rows)

    def inherits(self, *, suppresses: bool, persons: bool) -> bool:
        """Whether a node more general than an accepted one is accepted."""
        whole = self.average_risk is None or self.average_risk.inherits(suppresses=suppresses)
        return whole and all(model.inherits(suppresses=suppresses, persons=persons) for model in self.models)

    def in_words(self) -> str:
        """All of them in a few words."""
        rules = [model.in_words() for model in self.models]
        return ", ".join([*rules, *([self.average_risk.in_words()] if self.average_risk else [])])

    def of_rows(self) -> Rules:
        """What rows alone can show: sizes, and the release as a whole."""
        return replace(self, models=self.of_size)

    def sizes_only(self) -> Rules:
        """What the sizes of classes alone can show."""
        return replace(self, models=self.of_size, average_risk=None)
