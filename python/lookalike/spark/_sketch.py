"""Signatures of the texts of a data frame."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from .. import Features, MinHash, SimHash
from ._ask.columns import Question
from ._ask.method import Method
from ._tasks.batches import Batches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Sign:
    """Signs texts."""

    def __init__(self, signer: Callable[[], Any]) -> None:
        self.signer = signer

    def __call__(self, batches: Batches) -> Batches:
        signer = self.signer()
        for batch in batches:
            texts = batch.column("t0").to_pylist()
            yield pa.RecordBatch.from_arrays(
                [batch.column("id"), pa.array(signer.sign_all(texts), pa.binary())], names=["id", "signature"]
            )


def sketch(df: DataFrame, method: str = "minhash", *, text: str, id: str, **options: Any) -> DataFrame:
    """Sign the texts: a data frame of `id` and `signature`, with the bytes that ``lookalike sketch`` writes.

    method: 'minhash', 'simhash' or 'features'.
    options: those of :class:`lookalike.MinHash`, :class:`lookalike.SimHash` or :class:`lookalike.Features`, but for web pages.
    """
    signers: dict[str, Any] = {"minhash": MinHash, "simhash": SimHash, "features": Features}
    if method not in signers:
        raise ValueError(f"'{method}' is not a method. Use {', '.join(signers)}")
    # A task has texts alone.
    wrong = sorted(options.keys() & {"html", "url", "page"})
    if wrong:
        raise TypeError(f"sketch() got an unexpected keyword argument '{wrong[0]}'")
    signer = partial(signers[method], **options)
    # A wrong option is an error here, not in a task.
    signer()
    from pyspark.sql import types as T

    question = Question(text, None, None, id, [id], None, Method())
    rows = question.select(df, 0).select("id", "t0")
    schema = T.StructType([T.StructField("id", df.schema[id].dataType), T.StructField("signature", T.BinaryType())])
    return rows.mapInArrow(Sign(signer), schema)
