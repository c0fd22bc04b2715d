"""Kills executors while a run is going on: one in the middle of each stage of Spark that belongs to lookalike."""

import os
import signal
import threading
import time

import processes


class Killer:
    """Looks at the active stages, and kills an executor in each that it has not met before."""

    def __init__(self, spark, delay):
        import job

        self.active = lambda: job.rest(spark, "stages?status=active")
        self.delay, self.met, self.kills = delay, {}, []
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()

    def _watch(self):
        turn = 0
        while not self.done.wait(0.05):
            try:
                active = self.active()
            except OSError:
                continue
            for stage in active:
                what = stage.get("description") or ""
                if not what.startswith("lookalike:") or stage["numActiveTasks"] == 0:
                    continue
                first = self.met.setdefault(stage["stageId"], time.monotonic())
                if first is None or time.monotonic() - first < self.delay:
                    continue
                self.met[stage["stageId"]] = None
                executors = sorted(pid for pid in processes.descendants(os.getpid())
                                   if "CoarseGrainedExecutorBackend" in processes.command_of(pid))
                if executors:
                    turn += 1
                    pid = executors[turn % len(executors)]
                    os.kill(pid, signal.SIGKILL)
                    self.kills.append([what, stage["stageId"], pid])

    def stop(self):
        self.done.set()
        self.thread.join()
        return self.kills


def start(spark, delay):
    return Killer(spark, delay)
