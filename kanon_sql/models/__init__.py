"""Privacy models: one file each. A model names the template that says when a class fails, and whether searches may infer from it."""

from __future__ import annotations

from kanon_sql.models.k_anonymity import KAnonymity

Model = KAnonymity

__all__ = ["KAnonymity", "Model"]
