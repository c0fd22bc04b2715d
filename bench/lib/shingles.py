"""Text to sets of shingles in Python: what the peers are fed, and what their answers are judged by.

`plain` follows lookalike's words:5 as nearly as is cheap in Python: NFKC, case folded, runs of word characters, with
the characters of scripts that do not separate words taken one by one. (Python's \\w leaves out combining marks, so
the two differ on some scripts; nobody is judged by the other's tokens.) `gaoya` imitates the analyzer that is built
into that tool, to know the sets that it compares.
"""

import json
import re
import unicodedata

WIDTH = 5

# Thai, Lao, Myanmar, Khmer, Kana, Han.
_UNSPACED = "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff" \
            "\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(f"[{_UNSPACED}]|[^\\W{_UNSPACED}]+")
_ASCII_WORD = re.compile(r"\w+", re.ASCII)

# Rust's char::is_ascii_punctuation and is_ascii_whitespace (no vertical tab in the latter).
_GAOYA_WORD = re.compile(r"[^!-/:-@\[-`{-~ \t\n\r\f]+")


def plain_words(text) -> list[str]:
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def plain(text) -> list[str]:
    """The 5-word shingles of a text, repetitions included; a shorter text is one shingle, an empty one none."""
    words = plain_words(text)
    if len(words) < WIDTH:
        return [" ".join(words)] if words else []
    return _windows(words)


def gaoya(text) -> list[str]:
    """What gaoya makes of a text with analyzer="word", lowercase=True, ngram_range=(5, 5): a shorter text is nothing."""
    return _windows(_GAOYA_WORD.findall(text.lower()))


TOKENS = {"plain": plain, "gaoya": gaoya}


def _windows(words) -> list[str]:
    return list(map(" ".join, zip(words, words[1:], words[2:], words[3:], words[4:])))


def texts(path, documents=None):
    """The texts of a file in order, at most so many."""
    with open(path, encoding="utf-8") as rows:
        for number, row in enumerate(rows):
            if number == documents:
                return
            yield json.loads(row)["text"]
