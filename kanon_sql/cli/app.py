"""The application that commands register with, and what they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kanon_sql import __version__

if TYPE_CHECKING:
    from kanon_sql.workspace import Stage, StageListener

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
    """Remembers whether the release got its name, so that no message denies it."""

    published = begun = False
    instead = ""  # what else is to be said, where a command publishes more than one release

    def listening(self, listener: StageListener | None) -> StageListener:
        """The same listener, which also tells this note of the swap."""
        from kanon_sql.workspace import UNDONE, is_swapped

        def listen(name: str, stage: Stage | None) -> None:
            self.begun = name == "swap" or (self.begun and name != UNDONE)
            self.published = self.published or is_swapped(name, stage)
            if listener is not None:
                listener(name, stage)

        return listen

    def __str__(self) -> str:
        if self.instead:
            return self.instead
        if self.published:
            return "The release had been published by then."
        return "It was about to be published: look whether the release is there." if self.begun else "Nothing was published."


swap_note = SwapNote()
