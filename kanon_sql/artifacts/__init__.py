"""Immutable values that stages pass to each other, in the order of the pipeline."""

from __future__ import annotations

from kanon_sql.artifacts.assignment import Assignment, ClassCells, LabelledTable, NodeAssignment, NodeLabels, SpanLabels, TableAssignment
from kanon_sql.artifacts.cut_search import CutSearch
from kanon_sql.artifacts.dependencies import Dependency, PairCounts
from kanon_sql.artifacts.earlier import Earlier
from kanon_sql.artifacts.frequencies import CodedColumn, CodedValues, FrequencyTable, LevelLoss
from kanon_sql.artifacts.release import Reached, Recoding, Release, Risk, StagedTable
from kanon_sql.artifacts.search_record import LatticeSearch, MinimalNode, NodeCounts, SearchRecord
from kanon_sql.artifacts.solution import BySize, NodeCost, SearchTask, Solution, Verdict
from kanon_sql.artifacts.source import Identifier, Profile, QuasiIdentifier

__all__ = [
    "Assignment",
    "BySize",
    "ClassCells",
    "CodedColumn",
    "CodedValues",
    "CutSearch",
    "Dependency",
    "Earlier",
    "FrequencyTable",
    "Identifier",
    "LabelledTable",
    "LatticeSearch",
    "LevelLoss",
    "MinimalNode",
    "NodeAssignment",
    "NodeCost",
    "NodeCounts",
    "NodeLabels",
    "PairCounts",
    "Profile",
    "QuasiIdentifier",
    "Reached",
    "Recoding",
    "Release",
    "Risk",
    "SearchRecord",
    "SearchTask",
    "Solution",
    "SpanLabels",
    "StagedTable",
    "TableAssignment",
    "Verdict",
]
