"""Privacy models: one file each, with the model and its rule in a policy.

A model defines the measure of a class (a template), the limit of the measure, and what a search may infer from it. Average risk
applies to a release as a whole.
"""

from __future__ import annotations

from kanon_sql.models.alpha_k import AlphaK, AlphaRule
from kanon_sql.models.average_risk import AverageRisk
from kanon_sql.models.beta_likeness import BetaLikeness, LikenessRule
from kanon_sql.models.delta_disclosure import DeltaDisclosure, DisclosureRule
from kanon_sql.models.k_anonymity import KAnonymity
from kanon_sql.models.l_diversity import DiversityRule, LDiversity
from kanon_sql.models.model import Model, Values, plain
from kanon_sql.models.rules import Rules
from kanon_sql.models.t_closeness import ClosenessRule, TCloseness
from kanon_sql.models.value_rule import ValueRule

# The rules on sensitive columns, by their keys under privacy in a policy.
VALUE_RULES: dict[str, type[ValueRule]] = {
    rule.key: rule
    for rule in (
        DiversityRule,
        ClosenessRule,
        AlphaRule,
        DisclosureRule,
        LikenessRule,
    )
}

__all__ = [
    "VALUE_RULES",
    "AlphaK",
    "AverageRisk",
    "BetaLikeness",
    "DeltaDisclosure",
    "KAnonymity",
    "LDiversity",
    "Model",
    "Rules",
    "TCloseness",
    "ValueRule",
    "Values",
    "plain",
]
