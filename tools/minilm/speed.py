"""Passages that the original model embeds in a CPU second in onnxruntime, in float32 and as the built-in file is.

    bun bench/embedding.ts FOLDER --model minilm --passages passages.json
    python speed.py passages.json
"""
import argparse
import json
import time
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from encoder import CLS, SEP, build_encoder, model_folder

ROUNDS = 3
# Pieces of a text that the model takes; what is longer is cut here, and read in segments by the program.
LONGEST = 254
BUILTIN = Path(__file__).parent / "../../providers/builtin/minilm/model.onnx"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("passages", type=Path)
    passages = json.loads(parser.parse_args().passages.read_text())
    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    original = build_encoder(model_folder()).SerializeToString()
    for what, model in (("float32", original), ("built-in file", BUILTIN.read_bytes())):
        session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        inputs = [given.name for given in session.get_inputs()]
        for round_ in range(1, ROUNDS + 1):
            before = time.process_time()
            for text in passages:
                ids = np.array([[CLS, *tokenizer.encode(text, add_special_tokens=False).ids[:LONGEST], SEP]], np.int32)
                session.run(None, {name: np.ones_like(ids) if name == "mask" else ids for name in inputs})
            print(f"{what}, round {round_}: {len(passages) / (time.process_time() - before):.0f} passages a CPU second")


if __name__ == "__main__":
    main()
