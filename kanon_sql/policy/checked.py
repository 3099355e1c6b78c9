"""What every part of a policy has in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Checked(BaseModel):
    """A part of a policy: what it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)
