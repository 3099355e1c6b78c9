"""Privacy models: one file each. A model names the template that says when a class fails."""

from __future__ import annotations

from kanon_sql.models.k_anonymity import KAnonymity

Model = KAnonymity

__all__ = ["KAnonymity", "Model"]
