"""Track how far a command has come in publishing a release, for the message after a failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kanon_sql.workspace import ReleaseProgress, Stage, StageListener


class ReleaseStatus:
    """The state of the release that a command publishes; its text is one or two sentences for the user."""

    fixed_text = ""  # replaces the text, for commands that publish no release or several
    _recover_command = ""
    _progress: ReleaseProgress | None = None

    def reset(self) -> None:
        """Forget the previous command."""
        self.fixed_text, self._recover_command, self._progress = "", "", None

    def watch(self, listener: StageListener | None, *, recover_command: str = "") -> StageListener:
        """Return a listener that also updates this status.

        Pass `recover_command`, the command that erases the original rows, if the run has to erase them.
        """
        from kanon_sql.workspace import ReleaseProgress

        progress = self._progress = ReleaseProgress()
        self._recover_command = recover_command

        def listen(name: str, stage: Stage | None) -> None:
            progress.hear(name, stage)
            if listener is not None:
                listener(name, stage)

        return listen

    def __str__(self) -> str:
        progress = self._progress
        if self.fixed_text:
            return self.fixed_text
        if progress is None or not progress.begun:
            return "Nothing was published."
        if not progress.published:
            return "The release was about to be published. Check whether the target table exists."
        if self._recover_command and not progress.erased:
            return f"The release is published, but original rows remain. Erase them with: {self._recover_command}"
        return "The release is already published."


release_status = ReleaseStatus()
