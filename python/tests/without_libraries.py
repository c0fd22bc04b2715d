"""The package with nothing but narwhals beside it: run by unittest, as pytest and hypothesis are not there either.

The doctests of the package run here too, but for those that need a library."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import sys
import threading
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

import lookalike as la

LIBRARIES = ("numpy", "pandas", "polars", "pyarrow", "datasets", "duckdb", "tqdm", "pyspark")
ROWS = [{"id": f"d{at}", "text": f"one two three four {at % 3}", "n": at} for at in range(9)]


class WithoutLibraries(unittest.TestCase):
    def test_none_is_installed(self) -> None:
        for name in LIBRARIES:
            with self.assertRaises(ImportError):
                importlib.import_module(name)

    def test_data_of_python(self) -> None:
        for data in (ROWS, (row for row in ROWS), {name: [row[name] for row in ROWS] for name in ROWS[0]}):
            result = la.dedup(data, 0.9, tokens="words")
            self.assertEqual(result.kept_rows, [0, 1, 2])
            self.assertEqual([row.twin for row in result.removed], ["d0", "d1", "d2"] * 2)
            self.assertEqual((len(result.pairs), len(result.clusters), result.check()), (9, 9, []))
            self.assertEqual(result.duplicates_of("d0"), ["d3", "d6"])
        texts = [str(row["text"]) for row in ROWS]
        self.assertEqual(la.dedup(texts, 0.9).kept, texts[:3])
        self.assertEqual(la.dedup([set(text.split()) for text in texts], 0.9).kept_rows, [0, 1, 2])
        self.assertEqual(len(la.pairs(texts, threshold=1, measure="edit")), 36)
        self.assertEqual(len(set(la.sketch(texts))), 3)
        self.assertEqual(la.evaluate(la.pairs(texts, threshold=0.9), dict(enumerate([0, 1, 2] * 3)))["right"], 9)

    def test_files(self) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "rows.txt"
            path.write_text("one two\ntwo one\nthree\n", "utf-8")
            self.assertEqual(len(la.dedup(path, format="lines", tokens="words").kept), 2)
            self.assertEqual(la.dedup_files(path, format="lines", tokens="words", output=Path(folder) / "kept.jsonl")["kept"], 2)

    def test_what_needs_a_library_says_so(self) -> None:
        with self.assertRaisesRegex(ImportError, "pip install tqdm"):
            la.dedup(["a"], progress=True)

        class Stream:
            def __arrow_c_stream__(self, requested_schema: object = None) -> object:
                raise AssertionError("it is not asked")

        with self.assertRaisesRegex(ImportError, "pip install pyarrow"):
            la.dedup(Stream())

    def test_many_threads_ask_at_a_time(self) -> None:
        corpus = la.Corpus([f"{at % 50} words {at % 7}" for at in range(2_000)], tokens="words")
        expected, wrong = corpus.dedup(0.6), []

        def ask() -> None:
            if corpus.dedup(0.6) != expected:
                wrong.append(1)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        if "free-threading" in sys.version:
            # The package asks for no lock.
            self.assertFalse(sys._is_gil_enabled())  # type: ignore[attr-defined]


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: str | None) -> unittest.TestSuite:
    """Add the doctests of every module that can be imported here."""
    finder = doctest.DocTestFinder()
    runs = 0
    for module in pkgutil.walk_packages(la.__path__, "lookalike."):
        # The part for Spark needs PySpark.
        if module.name.startswith("lookalike.spark"):
            continue
        for test in finder.find(importlib.import_module(module.name)):
            if test.examples and not any(name in example.source for example in test.examples for name in LIBRARIES):
                runs += 1
                tests.addTest(doctest.DocTestCase(test))
    assert runs > 30, runs
    return tests
