"""Docstrings of the Python package for the documentation site.

They are written for Python's own `help`, with references such as :class:`Corpus` and examples that run as tests. For the site, a reference becomes a
link, and an example a block of code.
"""

import re

import griffe

REFERENCE = re.compile(r":(?:class|meth|func):`([\w.]+)`")
# From a first prompt to the next empty line.
EXAMPLE = re.compile(r"(?:^>>> .*\n?)(?:^.+\n?)*", re.MULTILINE)


class Docstrings(griffe.Extension):
    def on_instance(self, *, obj, **_):
        if obj.docstring is not None:
            text = REFERENCE.sub(r"[`\1`][lookalike.\1]", obj.docstring.value)
            obj.docstring.value = EXAMPLE.sub(lambda example: f"```pycon\n{example[0].rstrip()}\n```\n", text)
