"""Run one command and say how long it took and how much memory it held.

The kernel charges a new process with the resident memory of the one it was forked from, so a driver that holds a
few hundred megabytes of pairs would spoil the figure of every child. Each command is therefore started by a process
that does nothing else: this file, run as a script. Its own size (about 10 MB) is the least that can be measured.
"""

import json
import os
import re
import resource
import signal
import sys
import time
from dataclasses import dataclass


@dataclass
class Run:
    """One finished command. `status` is "ok", "timeout", "out of memory" or "failed"."""

    status: str
    code: int  # exit code, or minus the signal that ended it
    seconds: float  # wall time
    cpu_seconds: float  # user + system, all threads
    peak_bytes: int  # largest resident set
    stdout: str
    stderr: str

    @property
    def ok(self) -> bool:
        return self.status == "ok"

    @property
    def complaint(self) -> str:
        """The last line that the command wrote to stderr, its paths cut to their last part."""
        lines = self.stderr.strip().splitlines()
        return re.sub(r"(?<!\w)/\S*/", "", lines[-1].strip()) if lines else f"exit code {self.code}"


def run(command, work, *, env=None, timeout=None, memory=None, accept=(0,)) -> Run:
    """Run `command` with its output in files under `work`; `memory` caps its address space in bytes."""
    import subprocess  # not at the top: the launcher below stays small without it

    out, err = os.path.join(work, "stdout"), os.path.join(work, "stderr")
    order = {"command": [str(part) for part in command], "env": env or {}, "timeout": timeout, "memory": memory,
             "stdout": out, "stderr": err}
    launcher = subprocess.run([sys.executable, "-I", "-S", __file__], input=json.dumps(order), text=True,
                              stdout=subprocess.PIPE, check=True)
    report = json.loads(launcher.stdout)

    with open(out, encoding="utf-8", errors="replace") as file:
        stdout = file.read()
    with open(err, encoding="utf-8", errors="replace") as file:
        stderr = file.read()
    return Run(status_of(report, stderr, accept), report["code"], report["seconds"], report["cpu_seconds"],
               report["peak_bytes"], stdout, stderr)


def status_of(report, stderr, accept) -> str:
    """How a run ended, in a word or two."""
    if report["timed_out"]:
        return "timeout"
    if report["code"] in accept:
        return "ok"
    # A refused allocation is an exception in Python, an abort in Rust; the kernel's own answer is SIGKILL.
    if "MemoryError" in stderr or "memory allocation of" in stderr or report["code"] == -signal.SIGKILL:
        return "out of memory"
    return "failed"


def _launch(order) -> dict:
    """Fork, exec, wait: the whole life of the launcher."""
    begin = time.perf_counter()
    child = os.fork()
    if child == 0:
        _become(order)

    timed_out = False

    def kill(_signal, _frame):
        nonlocal timed_out
        timed_out = True
        os.killpg(child, signal.SIGKILL)

    signal.signal(signal.SIGALRM, kill)
    if order["timeout"]:
        signal.setitimer(signal.ITIMER_REAL, order["timeout"])
    try:
        _, status, usage = os.wait4(child, 0)
    except KeyboardInterrupt:
        os.killpg(child, signal.SIGKILL)
        raise
    seconds = time.perf_counter() - begin
    signal.setitimer(signal.ITIMER_REAL, 0)
    return {"code": os.waitstatus_to_exitcode(status), "timed_out": timed_out, "seconds": seconds,
            "cpu_seconds": usage.ru_utime + usage.ru_stime, "peak_bytes": usage.ru_maxrss * 1024}


def _become(order):
    """In the child: a process group of its own (so that a timeout ends all of it), limits, files, exec."""
    try:
        os.setpgid(0, 0)
        if order["memory"]:
            resource.setrlimit(resource.RLIMIT_AS, (order["memory"], order["memory"]))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for descriptor, name in ((1, "stdout"), (2, "stderr")):
            os.dup2(os.open(order[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
        os.execvpe(order["command"][0], order["command"], {**os.environ, **order["env"]})
    except OSError as error:
        os.write(2, f"{order['command'][0]}: {error.strerror}\n".encode())
    finally:
        os._exit(127)


if __name__ == "__main__":
    print(json.dumps(_launch(json.load(sys.stdin))))
