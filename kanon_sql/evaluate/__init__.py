"""Answers search with set statements."""

from __future__ import annotations

from kanon_sql.evaluate.nodes import NodeEvaluator

__all__ = ["NodeEvaluator"]
