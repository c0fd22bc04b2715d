"""The main text of pages, by trafilatura, trafilatura-recall (rather more text than less) or resiliparse.

    main_text.py TOOL PAGES.jsonl TEXTS.jsonl

PAGES has an id and a page (html) in each line, TEXTS gets the id and the text. Prints the seconds that extraction took, without
reading and writing.
"""

import json
import sys
import time


def extractor(tool):
    if tool in ("trafilatura", "trafilatura-recall"):
        from trafilatura import extract

        return lambda page: extract(page, include_comments=False, favor_recall=tool == "trafilatura-recall")
    if tool == "resiliparse":
        from resiliparse.extract.html2text import extract_plain_text

        return lambda page: extract_plain_text(page, main_content=True, alt_texts=False, noscript=False)
    sys.exit(f"no such tool: {tool}")


def main():
    tool, pages, texts = sys.argv[1:]
    extract = extractor(tool)
    seconds, size, empty = 0.0, 0, 0
    with open(pages, encoding="utf-8") as rows, open(texts, "w", encoding="utf-8") as out:
        for row in map(json.loads, rows):
            start = time.perf_counter()
            text = extract(row["html"]) or ""
            seconds += time.perf_counter() - start
            size += len(row["html"].encode("utf-8", "replace"))
            empty += not text.strip()
            out.write(json.dumps({"id": row["id"], "text": text}) + "\n")
    print(json.dumps({"seconds": seconds, "bytes": size, "empty": empty}))


if __name__ == "__main__":
    main()
