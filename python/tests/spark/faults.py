"""What goes wrong in tasks. Workers import this: it imports little."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

KILLED = {"Count", "Meet", "Sum", "Verify", "Twins", "Tally", "MergeNodes", "MeetHeavy", "MeetTiles", "Reading"}
"""Where executors are killed: where others have left something for the task, if there is such a function in the stage."""
SLOW = {"Post", "Meet", "Verify"}


class Reading:
    """Reads what an earlier stage has left, in a stage without a function of ours."""

    def __call__(self, batches: Any) -> Any:
        yield from batches


class Faulty:
    """A task of ours that fails at its end when it runs for the first time in a stage. Once in each of these stages an executor is killed
    at the end of one. Files in the folder say what happened, and in which stage."""

    def __init__(self, task: Any, folder: Path, stages: set[str]) -> None:
        self.task, self.folder, self.stages = task, folder, stages

    def __call__(self, batches: Any) -> Any:
        from pyspark import TaskContext

        yield from self.task(batches)
        context, name = TaskContext.get(), type(self.task).__name__
        assert context is not None
        stage = context.getLocalProperty("spark.job.description")
        if name in KILLED and stage in self.stages and once(self.folder / f"killed in {stage}"):
            kill_executor()
            raise OSError("the executor is gone")
        if once(self.folder / f"{name} in {stage}"):
            raise OSError("the disk is gone")


class Slow:
    """A task of ours that does not end before Spark runs it a second time: once for each function."""

    def __init__(self, task: Any, folder: Path) -> None:
        self.task, self.folder = task, folder

    def __call__(self, batches: Any) -> Any:
        from pyspark import TaskContext

        context, name = TaskContext.get(), type(self.task).__name__
        assert context is not None
        copied = self.folder / f"{name} copied in {context.stageId()}, {context.partitionId()}"
        if context.attemptNumber() > 0:
            copied.touch()
        yield from self.task(batches)
        if context.attemptNumber() == 0 and name in SLOW and once(self.folder / f"{name} is slow"):
            patience = time.monotonic() + 100
            while not copied.exists() and time.monotonic() < patience:
                time.sleep(0.02)


def once(path: Path) -> bool:
    """Whether this is the first that asks for this file, which is then there."""
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def kill_executor() -> None:
    """Kill the executor that runs this task: an ancestor of this process."""
    process = os.getpid()
    while b"CoarseGrainedExecutorBackend" not in Path(f"/proc/{process}/cmdline").read_bytes():
        process = int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
    os.kill(process, signal.SIGKILL)
