"""The command ``lookalike``, the same as the one that Rust builds."""

import sys

from . import _lookalike


def main() -> None:
    """Run the command with the arguments of this process, and exit with its status."""
    sys.exit(_lookalike.run_command(["lookalike", *sys.argv[1:]]))
