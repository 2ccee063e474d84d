"""What the table is fitted to: all-MiniLM-L6-v2's sentence embeddings, and its own view of every single wordpiece."""
import hashlib
import sys
import time
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

sys.path.insert(0, str(Path(__file__).parent.parent / "minilm"))
from encoder import CLS, MAX_PIECES, SEP, build_encoder, model_folder  # noqa: E402

THREADS = 2
# Wordpieces in one forward pass; measured as fast as larger ones.
PIECES_PER_BATCH = 4096


def load_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(model_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def open_session() -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.use_deterministic_compute = True
    model = build_encoder(model_folder()).SerializeToString()
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def run(session: onnxruntime.InferenceSession, rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Hidden states and mask of rows of ids, padded to the longest."""
    ids = np.zeros((len(rows), max(map(len, rows))), np.int32)
    mask = np.zeros_like(ids)
    for index, row in enumerate(rows):
        ids[index, : len(row)] = row
        mask[index, : len(row)] = 1
    return session.run(None, {"ids": ids, "mask": mask})[0], mask


def own_states(session: onnxruntime.InferenceSession, pieces: int) -> np.ndarray:
    """Each wordpiece's own last hidden state in `[CLS] piece [SEP]`: float32 [pieces, 384]."""
    states = []
    for start in range(0, pieces, 512):
        rows = [[CLS, piece, SEP] for piece in range(start, min(start + 512, pieces))]
        states.append(run(session, rows)[0][:, 1])
    return np.concatenate(states)


def sentence_targets(session: onnxruntime.InferenceSession, ids: list[list[int]], cache: Path | None) -> np.ndarray:
    """Unit-length mean-pooled embeddings of texts given as wordpieces without [CLS] and [SEP]: float32 [texts, 384]."""
    key = hashlib.sha256(repr(ids).encode()).hexdigest()[:16]
    cached = cache / f"targets-{key}.npy" if cache else None
    if cached and cached.exists():
        return np.load(cached)
    rows = [[CLS, *row[: MAX_PIECES - 2], SEP] for row in ids]
    targets = np.zeros((len(rows), 384), np.float32)
    # By length, so that little is padding; the sort is stable.
    order = sorted(range(len(rows)), key=lambda index: len(rows[index]))
    started = time.monotonic()
    at = 0
    batches = 0
    while at < len(order):
        end = at + 1
        while end < len(order) and len(rows[order[end]]) * (end + 1 - at) <= PIECES_PER_BATCH:
            end += 1
        hidden, mask = run(session, [rows[index] for index in order[at:end]])
        pooled = (hidden * mask[:, :, None]).sum(axis=1)
        targets[order[at:end]] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        at = end
        batches += 1
        if batches % 100 == 0:
            print(f"targets {at}/{len(order)} {time.monotonic() - started:.0f} s", flush=True)
    if cached:
        cached.parent.mkdir(parents=True, exist_ok=True)
        np.save(cached, targets)
    return targets
