"""Reads files with other tools: `python other-tools.py TOOL FILE …`. Prints a line of JSON for each file."""

import json
import sys
import time


def pypdf(path):
    from pypdf import PdfReader

    pages = PdfReader(path).pages
    return "\n\n".join(page.extract_text() or "" for page in pages), len(pages)


def pdfplumber(path):
    import pdfplumber as library

    parts = []
    with library.open(path) as pdf:
        for page in pdf.pages:
            parts.append(page.extract_text() or "")
            for table in page.extract_tables():
                parts.append("\n".join("| " + " | ".join((cell or "").replace("\n", " ") for cell in row) + " |" for row in table))
        return "\n\n".join(parts), len(pdf.pages)


def pymupdf(path):
    import pymupdf as library

    pages = library.open(path)
    return "\n\n".join(page.get_text(sort=True) for page in pages), len(pages)


def pymupdf4llm(path):
    import pymupdf
    import pymupdf4llm as library

    return library.to_markdown(path, show_progress=False), len(pymupdf.open(path))


def markitdown(path):
    from markitdown import MarkItDown

    return MarkItDown().convert(path).text_content, 1


read = {"pypdf": pypdf, "pdfplumber": pdfplumber, "pymupdf": pymupdf, "pymupdf4llm": pymupdf4llm, "markitdown": markitdown}[sys.argv[1]]
for path in sys.argv[2:]:
    try:
        # The first reading also loads the library.
        text, pages = read(path)
        began = time.process_time()
        read(path)
        line = {"text": text, "pages": pages, "cpuMs": (time.process_time() - began) * 1000}
    except Exception as error:
        line = {"text": "", "pages": 0, "cpuMs": 0, "failure": str(error)[:200]}
    sys.stdout.write("\n" + json.dumps(line) + "\n")
    sys.stdout.flush()
