"""Reads the texts to fit on: sorted and without doubles, so that the order of files and lines changes nothing."""
import gzip
import json
import re
from pathlib import Path

# Longer texts are cut by the model anyway (256 wordpieces).
LONGEST = 4000
SUFFIXES = (".jsonl", ".jsonl.gz", ".txt", ".md")


def read_texts(sources: list[Path]) -> list[str]:
    """Files and folders: `.jsonl` and `.jsonl.gz` hold one {"text": …} a line; `.txt` and `.md` one text a paragraph."""
    texts: set[str] = set()
    for source in sources:
        files = [source] if source.is_file() else [f for f in source.rglob("*") if f.name.endswith(SUFFIXES)]
        for file in files:
            opened = gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8")
            with opened as lines:
                if file.name.endswith((".jsonl", ".jsonl.gz")):
                    texts.update(json.loads(line)["text"][:LONGEST].strip() for line in lines if line.strip())
                else:
                    texts.update(part[:LONGEST].strip() for part in re.split(r"\n\s*\n", lines.read()))
    texts.discard("")
    if not texts:
        raise SystemExit("no texts found")
    return sorted(texts)
