"""Makes the Parquet files that are measured, with the columns n (the place of a row), id, text and url. Needs pyarrow.

    python rows.py jsonl TARGET SIZE FILE...      rows of JSON lines, compressed or not, of at most SIZE bytes
    python rows.py pages TARGET SIZE FILE...      the same, with pages (html) as texts
    python rows.py skew TARGET DOCUMENTS KIND     short documents, from a seed
"""

import io
import json
import random
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq

GROUP = 16 << 20  # bytes of text in a row group, so that Spark can divide a file finely
KINDS = ("pages", "no pages", "template", "no template", "copies")
WORDS, PAGE, TEMPLATE = 40, 300, 30  # of a short document, of a page, and of the template in a document of twice that


def jsonl(size, *files, field="text"):
    """(id, text, address) of rows. A page of a version of a manual gets an address on a site of that version."""
    read = 0
    for file in files:
        with opened(file) as lines:
            for line in lines:
                read += len(line)
                if read > size:
                    return
                row = json.loads(line)
                url = f"https://{row['site']}-{row['version'].replace('.', '-')}.example/{row['path']}" if field == "html" else None
                yield str(row["id"]), row.get(field), url


def opened(file):
    if not file.endswith(".zst"):
        return open(file, "rb")
    return io.BufferedReader(subprocess.Popen(["zstd", "-dcq", file], stdout=subprocess.PIPE).stdout, 1 << 20)


def skew(documents, kind):
    """(id, text, None) of short documents; a tenth of them are another kind.

    pages: near-identical pages; no pages: pages of the same length that share nothing; template: documents that share
    the first words, below the threshold; no template: documents of the same length that do not. copies: all but a hundredth are one page.
    """
    choose = random.Random(7)
    syllables = [a + b for a in "bcdfghklmnprstvwz" for b in "aeiou"]
    words = ["".join(choose.choices(syllables, k=3)) for _ in range(20_000)]
    page, template = choose.choices(words, k=PAGE), choose.choices(words, k=TEMPLATE)
    for row in range(documents):
        if kind == "copies":
            text = page if row % 100 != 3 else choose.choices(words, k=WORDS)
        elif row % 10 != 3:
            text = choose.choices(words, k=WORDS)
        elif kind == "pages":
            text = list(page)
            text[choose.randrange(PAGE)] = choose.choice(words)
        elif kind == "no pages":
            text = choose.choices(words, k=PAGE)
        elif kind == "template":
            text = template + choose.choices(words, k=TEMPLATE)
        else:
            text = choose.choices(words, k=2 * TEMPLATE)
        yield f"s{row}", " ".join(text), None


def write(rows, target):
    schema = pa.schema([("n", pa.int64()), ("id", pa.string()), ("text", pa.string()), ("url", pa.string())])
    documents = size = 0
    with pq.ParquetWriter(target, schema, compression="zstd") as out:
        ids, texts, urls, held = [], [], [], 0

        def flush():
            numbers = pa.array(range(documents - len(ids), documents), pa.int64())
            columns = [pa.array(column, pa.string()) for column in (ids, texts, urls)]
            out.write_table(pa.table([numbers, *columns], schema=schema))

        for id_, text, url in rows:
            ids.append(id_)
            texts.append(text)
            urls.append(url)
            documents += 1
            held += len((text or "").encode())
            if held >= GROUP:
                flush()
                size += held
                ids, texts, urls, held = [], [], [], 0
        if ids:
            flush()
            size += held
    return {"documents": documents, "text_bytes": size}


def main():
    kind, target, first, *more = sys.argv[1:]
    if kind == "skew":
        rows = skew(int(first), *more)
    else:
        rows = jsonl(int(first), *more, field="html" if kind == "pages" else "text")
    print(json.dumps(write(rows, target)))


if __name__ == "__main__":
    main()
