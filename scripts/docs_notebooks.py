"""Notebooks as pages of the site: cells as they are, and under each what is stored as its output."""

import json


def as_markdown(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return "\n\n".join(part for cell in cells for part in parts(cell)) + "\n"


def parts(cell):
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    return [f"```python\n{source}\n```", *(shown(output) for output in cell["outputs"])]


def shown(output):
    """The best form of an output: as HTML, as a picture, or as text."""
    data = output.get("data", {})
    if "text/html" in data:
        # One block for Markdown, which an empty line would end, and tables that look like those of the site.
        lines = "".join(data["text/html"]).replace(' border="1" class="dataframe"', "").splitlines()
        return "<div>" + "\n".join(line for line in lines if line.strip()) + "</div>"
    if "image/png" in data:
        return f'<img alt="The plot that this cell draws" src="data:image/png;base64,{"".join(data["image/png"]).strip()}">'
    return f"```text\n{''.join(output.get('text') or data['text/plain']).rstrip()}\n```"
