"""The application that commands register with, and what they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kanon_sql import __version__

if TYPE_CHECKING:
    from kanon_sql.workspace import ReleaseProgress, Stage, StageListener

DEBUG = "--debug"

app = typer.Typer(
    name="kanon",
    help="Makes a table k-anonymous inside the database that holds it.\n\n"
    "A table of your own in two commands:\n\n"
    "kanon profile duckdb:///clinic.duckdb patients -o patients.yml\n\n"
    "kanon anonymize duckdb:///clinic.duckdb --policy patients.yml",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kanon_sql {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")] = False,
    debug: Annotated[
        bool, typer.Option(DEBUG, help="After a failure also print where it happened and the statement that failed; anywhere on the line.")
    ] = False,
) -> None:
    pass


class SwapNote:
    """Remembers how far the release has come, so that no message denies it."""

    instead = ""  # what is said of commands that publish more than one release, or none
    _erase_with = ""  # the command that erases the original rows, if the run is to erase them
    _progress: ReleaseProgress | None = None

    def forget(self) -> None:
        """Begin a new command."""
        self.instead, self._erase_with, self._progress = "", "", None

    def listening(self, listener: StageListener | None, *, erase_with: str = "") -> StageListener:
        """Return a listener that also tells this note; `erase_with` is the command that finishes a run in place."""
        from kanon_sql.workspace import ReleaseProgress

        progress = self._progress = ReleaseProgress()
        self._erase_with = erase_with

        def listen(name: str, stage: Stage | None) -> None:
            progress.hear(name, stage)
            if listener is not None:
                listener(name, stage)

        return listen

    def __str__(self) -> str:
        progress = self._progress
        if self.instead:
            return self.instead
        if progress is None or not progress.begun:
            return "Nothing was published."
        if not progress.published:
            return "It was about to be published: look whether the release is there."
        if self._erase_with and not progress.erased:
            return f"The release is published, but original rows remain. Erase them with: {self._erase_with}"
        return "The release had been published by then."


swap_note = SwapNote()
