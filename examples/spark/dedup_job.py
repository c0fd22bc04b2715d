"""Remove near-duplicates from files on a Spark cluster.

    spark-submit dedup_job.py INPUT OUTPUT --order-by time,id --work hdfs:///tmp/lookalike

INPUT is a folder or a file of Parquet, JSON lines or web archives (WARC). OUTPUT gets two folders of Parquet: `kept`, the rows to keep
with all their columns, and `removed`, with `id`, `twin`, `similarity` and `identical`. Of archives, the pages are first written to a third
one, `pages`, because the rows are read several times.
"""

import argparse
from collections.abc import Sequence

from pyspark.sql import DataFrame, SparkSession

from lookalike import spark as las


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", help="Parquet, JSON lines or WARC")
    parser.add_argument("output", help="a folder for kept and removed")
    parser.add_argument("--format", choices=["parquet", "json", "warc"], help="of the input (default: by the name; parquet for a folder)")
    parser.add_argument("--text", default="text", help="column of texts (default text)")
    parser.add_argument("--html", help="column of web pages, instead of texts (default for WARC: html)")
    parser.add_argument("--url", help="column of their addresses (default for WARC: url)")
    parser.add_argument("--page", help="how a page becomes text: text, main or paper (default text)")
    parser.add_argument("--id", default="id", help="column of ids (default id)")
    parser.add_argument("--order-by", help="columns that order the rows, by comma; the earlier row is kept (default: the id; for WARC: file,record)")
    parser.add_argument("--threshold", help="minimum similarity, inclusive (default 0.8; none for b, c, combined and by-site)")
    parser.add_argument("--method", default="exact", help="exact, minhash, b, c, combined or by-site (default exact)")
    parser.add_argument("--tokens", default="words:5", help="what is compared (default words:5)")
    parser.add_argument("--against", help="references in the same format: rows that resemble one are removed")
    parser.add_argument("--work", help="folder for intermediate results, which all executors can reach")
    parser.add_argument("--task-memory", help="memory of a task, such as 2GiB (default: from Spark's settings)")
    options = parser.parse_args(given)
    options.format = options.format or format_of(options.input)
    if options.format == "warc":
        options.html, options.url = options.html or "html", options.url or "url"
        options.order_by = options.order_by or "file,record"
    return options


def format_of(path: str) -> str:
    name = path.rstrip("/").rsplit("/", 1)[-1]
    return "json" if ".json" in name else "warc" if ".warc" in name else "parquet"


def read(spark: SparkSession, path: str, kind: str, pages: str) -> DataFrame:
    if kind == "warc":
        las.read_warc(spark, path).where("html is not null").write.parquet(pages)
        return spark.read.parquet(pages)
    return spark.read.json(path) if kind == "json" else spark.read.parquet(path)


def run(spark: SparkSession, options: argparse.Namespace) -> None:
    against = options.against and read(spark, options.against, options.format, f"{options.output}/references")
    result = las.dedup(
        read(spark, options.input, options.format, f"{options.output}/pages"),
        text=None if options.html else options.text,
        html=options.html,
        url=options.url,
        page=options.page,
        id=options.id,
        order_by=(options.order_by or options.id).split(","),
        threshold=options.threshold,
        tokens=options.tokens,
        method=options.method,
        against=against,
        work=options.work,
        task_memory=options.task_memory,
    )
    # Closing removes the work folder, so everything is written first.
    with result:
        result.kept.write.parquet(f"{options.output}/kept")
        result.removed.write.parquet(f"{options.output}/removed")
        print(result.summary)


def main() -> None:
    options = arguments()
    spark = SparkSession.builder.appName(f"lookalike dedup {options.input}").getOrCreate()
    run(spark, options)
    spark.stop()


if __name__ == "__main__":
    main()
