"""Processes that tests start."""

from __future__ import annotations

import signal


def heed_ctrl_c() -> None:
    """Run in a new process: one started in the background of a shell ignores Ctrl-C, and so would its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
