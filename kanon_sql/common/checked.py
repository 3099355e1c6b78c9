"""The base class of the parts of policies and project files."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Checked(BaseModel):
    """A part of a file: an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)
