"""One run on Spark, in a process of its own: `python job.py ORDER`, an order in JSON. Prints what it found as JSON.

Needs pyspark and lookalike. bench/spark starts it with the Python that has them.
"""

import hashlib
import json
import os
import shutil
import sys
import time
import urllib.request

FOLDER = os.path.dirname(os.path.abspath(__file__))
COLUMNS = ("description", "name", "numTasks", "executorRunTime", "shuffleWriteBytes", "memoryBytesSpilled",
           "diskBytesSpilled", "numFailedTasks", "peakExecutionMemory")


def session(order):
    from pyspark.sql import SparkSession

    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(order["master"]).appName("lookalike bench")
    settings = {
        "spark.driver.memory": "2g",
        "spark.executor.memory": "1g",
        "spark.local.dir": order["local"],
        "spark.ui.enabled": "true",
        "spark.ui.showConsoleProgress": "false",
        "spark.ui.retainedStages": "100000",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(filter(None, [FOLDER, os.environ.get("PYTHONPATH")])),
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
    } | order.get("conf", {})
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    # Executors start with the first job: what is measured begins when they are there.
    cores = spark.sparkContext.defaultParallelism
    spark.range(0, 1000, 1, 4 * cores).mapInArrow(_same, "id long").count()
    return spark


def _same(batches):
    yield from batches


def rest(spark, what):
    """An answer of Spark's own REST API."""
    context = spark.sparkContext
    address = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/{what}"
    with urllib.request.urlopen(address, timeout=60) as answer:
        return json.load(answer)


def stages(spark, after=0):
    """What Spark measured of each of its stages, the first of them first. Those that were skipped are left out."""
    time.sleep(1)  # its page is behind by a moment
    found = [stage for stage in rest(spark, "stages") if stage["status"] not in ("PENDING", "SKIPPED")]
    found.sort(key=lambda stage: (stage["stageId"], stage["attemptId"]))
    return [{"id": stage["stageId"]} | {name: stage.get(name) for name in COLUMNS} | _times(stage)
            for stage in found if stage["stageId"] >= after]


def _times(stage):
    from datetime import datetime, timezone

    times = [stage.get("firstTaskLaunchedTime") or stage.get("submissionTime"), stage.get("completionTime")]
    if None in times:
        return {"begin": None, "end": None, "seconds": None}
    read = (datetime.strptime(at.removesuffix("GMT"), "%Y-%m-%dT%H:%M:%S.%f") for at in times)
    begin, end = (at.replace(tzinfo=timezone.utc).timestamp() for at in read)
    return {"begin": begin, "end": end, "seconds": end - begin}


def described(spark, text):
    spark.sparkContext.setJobDescription(text)


def dedup(spark, order):
    """lookalike: the answer, and the kept rows in a folder."""
    from lookalike import spark as las

    rows = spark.read.parquet(order["input"])
    if order.get("fail"):
        rows = rows.mapInArrow(_fail_once, rows.schema)
    if order.get("kill"):
        rows = _slow_stages(rows, 2 * order["kill"])
    begin = time.monotonic()
    where = {"html": "text", "url": "url"} if order.get("is_page") else {"text": "text"}
    given = {**where, "id": "id", "order_by": ["n"], "threshold": order["threshold"], "method": order["method"], "work": order["work"]}
    given["partitions"] = order.get("tasks")
    if order.get("pairs"):
        return pairs(rows, given, order)
    if order.get("twice"):
        las.dedup(rows, **given).close()
        begin = time.monotonic()
    found = las.dedup(rows, **given)
    decided = time.monotonic()
    described(spark, "kept rows")
    found.kept.write.mode("overwrite").parquet(order["kept"])
    written = time.monotonic()
    described(spark, "check")
    table = found.removed.toArrow()
    with open(order["removed"], "w", encoding="utf-8") as out:
        removed = zip(*(table[name].to_pylist() for name in ("id", "twin", "similarity", "identical")), strict=True)
        for row in sorted(removed):
            out.write(json.dumps(row) + "\n")
    places = spark.read.parquet(order["kept"]).select("n").orderBy("n").toArrow()["n"]
    kept = {"kept rows": len(places), "kept hash": hashlib.sha256(b"".join(n.to_bytes(8) for n in places.to_pylist())).hexdigest()}
    summary = found.summary
    facts = {name: getattr(summary, name) for name in ("rows", "text_bytes", "postings", "looked_at", "hit_bytes", "heavy_postings",
                                                       "candidates", "pairs", "moved_bytes", "rounds")} | kept
    found.close()
    return {"share": share(spark), "seconds": decided - begin, "kept seconds": written - decided, **facts,
            "parts": [[stage.name, stage.seconds] for stage in summary.stages]}


def pairs(rows, given, order):
    """All pairs, in a file beside the removed rows."""
    from lookalike import spark as las

    begin = time.monotonic()
    found = las.pairs(rows, **given)
    table = found.pairs.toArrow()
    with open(order["removed"], "w", encoding="utf-8") as out:
        for row in sorted(zip(*(table[name].to_pylist() for name in ("a", "b", "similarity")), strict=True)):
            out.write(json.dumps(row) + "\n")
    found.close()
    return {"seconds": time.monotonic() - begin, "pairs": len(table)}


def _slow_stages(rows, seconds):
    """The rows, in tasks that take a while; so do those that read what an earlier stage has left. Then there is time to kill in each."""
    from lookalike.spark._work import Work

    def slowly(batches):
        time.sleep(seconds)
        yield from batches

    get = Work.get

    def slow(self, name, schema=None):
        found = get(self, name, schema)
        return found.mapInArrow(slowly, found.schema)

    Work.get = slow
    return rows.mapInArrow(slowly, rows.schema)


def share(spark):
    """What a task may hold by default."""
    from lookalike.spark._ask.limits import limits

    return limits(spark).task_memory


def _fail_once(batches):
    """The rows as they are; but every task fails in the middle when it runs for the first time."""
    from pyspark import TaskContext

    for at, batch in enumerate(batches):
        if at == 1 and TaskContext.get().attemptNumber() == 0:
            raise RuntimeError("a task that is made to fail")
        yield batch
    if TaskContext.get().attemptNumber() == 0:
        raise RuntimeError("a task that is made to fail")


def price(spark, order):
    """Spark's own price: all rows through Python once, and all of them moved once."""
    rows = spark.read.parquet(order["input"]).select("n", "id", "text")
    begin = time.monotonic()
    described(spark, "identity and shuffle")
    moved = rows.mapInArrow(_same, rows.schema).repartition(max(2, order["partitions"]), "n")
    moved.write.format("noop").mode("overwrite").save()
    return {"seconds": time.monotonic() - begin}


def minhash(spark, order):
    """MLlib's MinHashLSH as its documentation uses it. It is approximate."""
    from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, RegexTokenizer
    from pyspark.sql import functions as F

    begin = time.monotonic()
    described(spark, "MinHashLSH")
    rows = spark.read.parquet(order["input"]).where("text is not null")
    words = RegexTokenizer(inputCol="text", outputCol="words", pattern=r"\W+").transform(rows)
    grams = NGram(n=5, inputCol="words", outputCol="grams").transform(words).where(F.size("grams") > 0)
    sets = HashingTF(inputCol="grams", outputCol="set", binary=True, numFeatures=1 << 24).transform(grams).select("n", "set")
    model = MinHashLSH(inputCol="set", outputCol="hashes", numHashTables=3, seed=1).fit(sets)
    pairs = model.approxSimilarityJoin(sets, sets, 0.2 + 1e-9, "distance")
    pairs = pairs.where("datasetA.n < datasetB.n").count()
    return {"seconds": time.monotonic() - begin, "pairs": pairs}


def main():
    order = json.loads(sys.argv[1])
    # Tasks find this file by its name.
    import job

    spark = job.session(order)
    watcher = None
    if order.get("kill"):
        import kill

        watcher = kill.start(spark, order["kill"])
    first = len(rest(spark, "stages"))
    found = {"dedup": job.dedup, "price": job.price, "minhash": job.minhash}[order["what"]](spark, order)
    if watcher:
        found["killed"] = watcher.stop()
    found["spark"] = spark.version
    found["stages"] = stages(spark, first)
    print("\n" + json.dumps(found))
    sys.stdout.flush()
    logs = os.path.join(os.environ.get("SPARK_HOME", ""), "work", spark.sparkContext.applicationId)
    spark.stop()
    # A local cluster leaves the logs of its executors here.
    shutil.rmtree(logs, ignore_errors=True)


if __name__ == "__main__":
    main()
