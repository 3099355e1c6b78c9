"""The frozen values that stages pass on, in the order of the pipeline."""

from __future__ import annotations

from kanon_sql.artifacts.dependencies import Dependency, PairCounts
from kanon_sql.artifacts.frequencies import CodedColumn, CodedValues, FrequencyTable, LevelLoss
from kanon_sql.artifacts.release import Earlier, Reached, Recoding, Release, Risk, StagedTable
from kanon_sql.artifacts.solution import BySize, MinimalNode, NodeCost, NodeCounts, Solution, Verdict
from kanon_sql.artifacts.source import Identifier, Profile, QuasiIdentifier

__all__ = [
    "BySize",
    "CodedColumn",
    "CodedValues",
    "Dependency",
    "Earlier",
    "FrequencyTable",
    "Identifier",
    "LevelLoss",
    "MinimalNode",
    "NodeCost",
    "NodeCounts",
    "PairCounts",
    "Profile",
    "QuasiIdentifier",
    "Reached",
    "Recoding",
    "Release",
    "Risk",
    "Solution",
    "StagedTable",
    "Verdict",
]
