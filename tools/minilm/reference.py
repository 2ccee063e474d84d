"""Sentence embeddings of the original model in float32, for the test that compares the built-in one with them.

    python reference.py --out ../../test/fixtures/minilm/vectors.json
"""
import argparse
import json
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from encoder import CLS, SEP, build_encoder, model_folder

TEXTS = [
    "That is a happy person",
    "That is a very happy person",
    "The weather is bad today.",
    "How do I reset the password of my account?",
    "Open the settings, choose Security and press \u201cReset password\u201d; a mail with a link is sent to you.",
    "naïve café: 3.5 % of 1,200 €",
    "Wie viele Einwohner hat die Stadt?",
    "def read(path: str) -> bytes: return open(path, 'rb').read()",
    "x",
    " ".join(f"Section {number} deals with the maintenance of pumps and valves." for number in range(1, 19)),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    model = build_encoder(model_folder()).SerializeToString()
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    lines = []
    for text in TEXTS:
        ids = np.array([[CLS, *tokenizer.encode(text, add_special_tokens=False).ids, SEP]], np.int32)
        mean = session.run(None, {"ids": ids, "mask": np.ones_like(ids)})[0][0].mean(axis=0)
        vector = [round(float(value), 4) for value in mean / np.linalg.norm(mean)]
        lines.append(json.dumps({"text": text, "vector": vector}, separators=(",", ":")))
    options.out.write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
