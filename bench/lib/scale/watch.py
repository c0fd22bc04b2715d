"""Run a command in a memory cgroup and watch it: time, resident memory every 20 ms, disk every half second.

The peak that the kernel reports counts every page that was ever resident at once, those of mapped files included, and
says nothing of how they divide. Here anonymous memory, mapped files and shared memory are read from /proc/PID/status.
"""

import os
import re
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import measure

V1 = Path("/sys/fs/cgroup/memory")
V2 = Path("/sys/fs/cgroup")
PARTS = {"RssAnon": "anonymous", "RssFile": "mapped", "RssShmem": "shared"}
TURN = 0.02  # seconds between two looks at the memory
DISK_TURN = 0.5  # seconds between two looks at the disk


@dataclass
class Watched:
    """One finished command. `status` is "ok", "timeout", "out of memory" or "failed"."""

    status: str
    code: int
    seconds: float
    cpu_seconds: float
    peak_bytes: int  # anonymous + mapped + shared, the largest sum
    peak_parts: dict  # the three at that moment
    disk_bytes: int  # largest sum of the files in the watched folders, and of open files that were deleted
    limit_bytes: int | None  # of the cgroup, None if it ran without
    stdout: str
    stderr: str
    samples: int = field(default=0)

    @property
    def ok(self) -> bool:
        return self.status == "ok"

    @property
    def complaint(self) -> str:
        """The last line that the command wrote to stderr, its paths cut to their last part."""
        lines = self.stderr.strip().splitlines()
        return re.sub(r"(?<!\w)/\S*/", "", lines[-1].strip()) if lines else f"exit code {self.code}"


def run(command, *, limit=None, timeout=None, env=None, folders=(), accept=(0,)) -> Watched:
    """Run `command`; `limit` bounds its memory in bytes, where a cgroup can be made. `folders` hold its files."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, cgroup(limit) as group:
        begin = time.perf_counter()
        process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   env={**os.environ, **(env or {})}, start_new_session=True,
                                   preexec_fn=group.join if group else None)
        try:
            seen = _follow(process.pid, begin, timeout, folders)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        process.returncode = seen["code"]  # it was waited for here, not by Popen
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
    status = measure.status_of(seen, texts[1], accept)
    return Watched(status, seen["code"], seen["seconds"], seen["cpu"], seen["peak"], seen["parts"], seen["disk"],
                   limit if group else None, *texts, samples=seen["samples"])


def _follow(pid, begin, timeout, folders) -> dict:
    seen = {"peak": 0, "parts": {}, "disk": 0, "samples": 0, "timed_out": False}
    before, next_disk = sum(map(folder_bytes, folders)), 0.0
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        now = time.perf_counter()
        if done:
            break
        parts = _resident(pid)
        seen["samples"] += 1
        if sum(parts.values()) > seen["peak"]:
            seen["peak"], seen["parts"] = sum(parts.values()), parts
        if folders and now >= next_disk:
            next_disk = now + DISK_TURN
            disk = sum(map(folder_bytes, folders)) - before + _deleted_bytes(pid)
            seen["disk"] = max(seen["disk"], disk)
        if timeout and now - begin > timeout and not seen["timed_out"]:
            seen["timed_out"] = True
            os.killpg(pid, signal.SIGKILL)
        time.sleep(TURN)
    return seen | {"code": os.waitstatus_to_exitcode(status), "seconds": now - begin,
                   "cpu": usage.ru_utime + usage.ru_stime}


def _resident(pid) -> dict:
    """Resident bytes by part; empty once the process has ended."""
    parts = {}
    try:
        with open(f"/proc/{pid}/status") as lines:
            for line in lines:
                key, _, value = line.partition(":")
                if key in PARTS:
                    parts[PARTS[key]] = int(value.split()[0]) * 1024
    except (FileNotFoundError, ProcessLookupError):
        pass
    return parts


def folder_bytes(folder) -> int:
    """Bytes that the files below a folder occupy. Files may come and go meanwhile."""
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(where, name)).st_blocks * 512
            except FileNotFoundError:
                pass
    return total


def _deleted_bytes(pid) -> int:
    """Bytes of files that the process has open and that have no name any more: most temporary files."""
    total = 0
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            path = f"/proc/{pid}/fd/{name}"
            try:
                target = os.readlink(path)
                # The command's own stdout and stderr are such files too, and small.
                if target.startswith("/") and target.endswith(" (deleted)"):
                    total += os.stat(path).st_blocks * 512
            except FileNotFoundError:
                pass
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        pass
    return total


class Group:
    """A memory cgroup, of version 1 or 2."""

    def __init__(self, folder, limit):
        self.folder = folder
        folder.mkdir()
        first = folder / "memory.limit_in_bytes"
        (first if first.exists() else folder / "memory.max").write_text(str(limit))

    def join(self):
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))


@contextmanager
def cgroup(limit):
    """A group of this limit while inside; None if there is no limit, or no group can be made here."""
    group = _make(limit) if limit else None
    try:
        yield group
    finally:
        if group:
            _remove(group.folder)


def _make(limit):
    name = f"lookalike-bench-{os.getpid()}"
    root = V1 if (V1 / "memory.limit_in_bytes").exists() else V2
    try:
        if root == V2 and "memory" not in (V2 / "cgroup.subtree_control").read_text().split():
            (V2 / "cgroup.subtree_control").write_text("+memory")
        return Group(root / name, limit)
    except OSError:
        # Also a group that was made but takes no limit.
        _remove(root / name)
        return None


def _remove(folder):
    for _ in range(50):
        try:
            folder.rmdir()
            return
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.02)  # the last process is still leaving


def can_limit() -> bool:
    """Whether cgroups can be made here."""
    with cgroup(1 << 30) as group:
        return group is not None
