"""Runs a command and follows all processes that it starts: the peak of memory of each, by what it is for.

The peak is the kernel's own (VmHWM), read every fifth of a second, so that a short peak is not missed. Anonymous memory
(without mapped files, such as libraries) is what was seen at these moments.
"""

import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

TURN = 0.2


@dataclass
class Followed:
    """A finished command. `peaks` has, by kind of process, the peak and the anonymous peak of each process. `workers` says how much
    anonymous memory the largest Python worker had when."""

    code: int
    timed_out: bool
    seconds: float
    stdout: str
    stderr: str
    peaks: dict
    workers: list

    def peak(self, kind, which=0) -> int:
        return max((peak[which] for peak in self.peaks.get(kind, [])), default=0)


def run(command, *, timeout=None, env=None, cwd=None) -> Followed:
    """Run a command in a session of its own; end all of it when it ends, or after the timeout."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.monotonic()
        process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=cwd,
                                   env={**os.environ, **(env or {})}, start_new_session=True)
        seen, workers, done = {}, [], threading.Event()
        follower = threading.Thread(target=_follow, args=(process.pid, seen, workers, done), daemon=True)
        follower.start()
        timed_out = False
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            seconds = time.monotonic() - begin
            done.set()
            follower.join()
            for pid, (_, _, _, started) in seen.items():
                if _started(pid) == started:
                    _end(pid)
            process.wait()
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    peaks = {}
    for kind, peak, anonymous, _ in seen.values():
        peaks.setdefault(kind, []).append((peak, anonymous))
    return Followed(process.returncode, timed_out, seconds, *texts, peaks, workers)


def _end(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _follow(root, seen, workers, done):
    while not done.wait(TURN):
        largest = 0
        for pid in descendants(root):
            facts = _memory(pid)
            if facts is None:
                continue
            peak, anonymous = facts
            known = seen.get(pid)
            if known is None:
                known = (kind_of(pid), 0, 0, _started(pid))
            # A process is another program right after it was started.
            kind = kind_of(pid) if known[0] == "other" else known[0]
            seen[pid] = (kind, max(known[1], peak), max(known[2], anonymous), known[3])
            if kind == "Python worker":
                largest = max(largest, anonymous)
        workers.append((time.time(), largest))


def descendants(root) -> list[int]:
    """A process and all that it started, directly or not."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            parent = _stat(int(name), 1)
            children.setdefault(int(parent) if parent else None, []).append(int(name))
    found, queue = [], [root]
    while queue:
        pid = queue.pop()
        found.append(pid)
        queue += children.get(pid, [])
    return found


def kind_of(pid) -> str:
    command = command_of(pid)
    if "CoarseGrainedExecutorBackend" in command:
        return "executor"
    if "pyspark.daemon" in command:
        return "Python worker"
    if "SparkSubmit" in command:
        return "driver JVM"
    return "driver Python" if "job.py" in command else "other"


def command_of(pid) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""


def _stat(pid, field):
    """A field of /proc/PID/stat, counted after the name of the command."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
        return text[text.rindex(")") + 2 :].split()[field]
    except (OSError, ValueError, IndexError):
        return None


def _started(pid):
    return _stat(pid, 19)


def _memory(pid):
    found = {}
    try:
        with open(f"/proc/{pid}/status") as lines:
            for line in lines:
                key, _, value = line.partition(":")
                if key in ("VmHWM", "RssAnon"):
                    found[key] = int(value.split()[0]) * 1024
    except OSError:
        return None
    return (found.get("VmHWM", 0), found.get("RssAnon", 0)) if found else None
