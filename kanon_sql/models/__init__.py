"""Privacy models: one file each. A model says how a class is measured (a template), which limit the measure must keep, and whether
searches may infer from it; average risk is about a release as a whole."""

from __future__ import annotations

from kanon_sql.models.alpha_k import AlphaK
from kanon_sql.models.average_risk import AverageRisk
from kanon_sql.models.beta_likeness import BetaLikeness
from kanon_sql.models.delta_disclosure import DeltaDisclosure
from kanon_sql.models.k_anonymity import KAnonymity
from kanon_sql.models.l_diversity import LDiversity
from kanon_sql.models.model import Model, Values, plain
from kanon_sql.models.rules import Rules
from kanon_sql.models.t_closeness import TCloseness

VALUE_MODELS: tuple[type[Model], ...] = (LDiversity, TCloseness, AlphaK, DeltaDisclosure, BetaLikeness)

__all__ = [
    "VALUE_MODELS",
    "AlphaK",
    "AverageRisk",
    "BetaLikeness",
    "DeltaDisclosure",
    "KAnonymity",
    "LDiversity",
    "Model",
    "Rules",
    "TCloseness",
    "Values",
    "plain",
]
