"""Where the release is written."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import field_validator, model_validator

from kanon_sql.common.checked import Checked


class Publish(Checked):
    """Where the release is written: into another table, or in place of the source's rows."""

    into: str | None = None
    replace: bool = False
    in_place: bool = False
    on_change: Literal["fail", "search"] = "fail"
    keep_backup: bool = False
    scrub: Literal["auto", "off"] = "auto"
    history: bool = True
    allow_loss: tuple[str, ...] = ()

    @field_validator("scrub", mode="before")
    @classmethod
    def _yaml_off(cls, value: object) -> object:
        return {True: "auto", False: "off"}[value] if isinstance(value, bool) else value  # YAML reads off as false

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if self.in_place == (self.into is not None):
            raise ValueError("write either into: and the name of a new table, or in_place: true")
        if self.in_place and self.replace:
            raise ValueError("replace is only for into; in_place: true already replaces the table's rows")
        return self

    @property
    def keeps_history(self) -> bool:
        """Whether the run is recorded: by default if it replaces rows."""
        return self.history and (self.in_place or self.replace or "history" in self.model_fields_set)
