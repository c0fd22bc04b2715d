"""What a figure was measured on, and with: the head of every report."""

import os
import platform
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path


def describe() -> dict:
    return {
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "cpu": _field("/proc/cpuinfo", "model name"),
        "cores": os.cpu_count(),
        "memory_bytes": int(_field("/proc/meminfo", "MemTotal").split()[0]) * 1024,
        "kernel": platform.release(),
        "load": round(os.getloadavg()[0], 2),  # whoever else was at work before we began
    }


def versions(lookalike) -> dict:
    return {
        "lookalike": first_line([lookalike, "--version"]).removeprefix("lookalike "),
        "rustc": first_line(["rustc", "--version"]).removeprefix("rustc "),
        "Python": platform.python_version(),
        "wc": first_line(["wc", "--version"]).removeprefix("wc "),
    }


def command_line() -> str:
    """The command as it was typed, but a path of this machine is cut to its last part."""
    shown = [Path(argument).name if os.path.isabs(argument) else argument for argument in sys.argv[1:]]
    return " ".join([f"bench/{Path(sys.argv[0]).name}", *shown])


def heading(machine, versions) -> list[str]:
    """The same as lines of Markdown."""
    return [
        f"- command: `{command_line()}`",
        f"- date: {machine['date']}",
        f"- machine: {machine['cpu']}, {machine['cores']} cores, {machine['memory_bytes'] / 1e9:.1f} GB, "
        f"Linux {machine['kernel']}; load average before the start: {machine['load']}",
        "- versions: " + ", ".join(f"{name} {version}" for name, version in versions.items()),
    ]


def first_line(command) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return "not found"
    lines = done.stdout.splitlines()
    return lines[0].strip() if lines else "unknown"


def _field(path, name) -> str:
    """The first value of `name` in a file of "name : value" lines."""
    with open(path) as file:
        for line in file:
            key, _, value = line.partition(":")
            if key.strip() == name:
                return value.strip()
    return "unknown"
