"""MkDocs hooks: the site also has the Markdown files outside docs/, so that MkDocs checks the links to them and in them, and the notebooks in docs/.

A file such as bench/README.md becomes the page project/bench/README.md. Links between docs/ and the rest of the repository are written as they work
in the repository; here they are changed to work on the site. A link to a file that is no page, such as a licence, stays as its text alone, if the
file exists. A link that leads nowhere is left as it is, and MkDocs reports it.
"""

import posixpath
import re
import subprocess
import sys
from pathlib import Path

from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).resolve().parent))
import docs_notebooks

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"(^ *```.*?^ *```[ \t]*$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def on_files(files, config):
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    for path in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines():
        if not path.startswith("docs/") and (ROOT / path).exists():
            files.append(File.generated(config, f"project/{path}", abs_src_path=str(ROOT / path)))
    for notebook in [file for file in files if file.src_uri.endswith(".ipynb")]:
        page = notebook.src_uri.removesuffix("ipynb") + "md"
        files.append(File.generated(config, page, content=docs_notebooks.as_markdown(Path(notebook.abs_src_path))))
    return files


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    source = uri.removeprefix("project/") if uri.startswith("project/") else f"docs/{uri}"

    def on_the_site(link):
        picture, text, target = link.groups()
        address, anchor = re.fullmatch(r"([^#]*)(#.*)?", target).groups(default="")
        if not address or re.match(r"[a-z]+:", address):
            return link[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), address))
        if path.startswith("docs/"):
            place = path.removeprefix("docs/")
            # To the page of a notebook; from there, to the file.
            if place.endswith(".ipynb") and place.removesuffix("ipynb") != uri.removesuffix("md"):
                place = place.removesuffix("ipynb") + "md"
        elif path.endswith(".md"):
            place = f"project/{path}"
        elif (ROOT / path).exists():
            return text
        else:
            return link[0]
        return f"{picture}[{text}]({posixpath.relpath(place, posixpath.dirname(uri) or '.')}{anchor})"

    parts = FENCE.split(markdown)
    return "".join(part if number % 2 else LINK.sub(on_the_site, part) for number, part in enumerate(parts))
