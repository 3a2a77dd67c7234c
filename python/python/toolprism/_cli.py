"""The program `toolprism`, as an entry point."""

from __future__ import annotations

import signal
import sys

from . import _native


def main() -> int:
    """Runs the program with the arguments of this process, and gives its exit code."""
    # Ctrl-C ends it at once, as it does elsewhere; Python would wait for the end of the work.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.cli(["toolprism", *sys.argv[1:]])
