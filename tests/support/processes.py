"""Processes that tests start."""

from __future__ import annotations

import signal


def heed_ctrl_c() -> None:
    """Restore Ctrl-C in a new process: one started in the background of a shell ignores it, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
