"""Fits the table of the built-in static embedding and writes it as one file. See README.md.

    python fit.py --texts FILE_OR_FOLDER … --table table.bin --vocabulary vocabulary.txt [--cache FOLDER] [--unfitted]
"""
import os

# Before numpy is loaded: the number of threads decides the order of sums, hence the last bits.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "2"

import argparse  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from scipy.sparse import csr_matrix  # noqa: E402

from table_file import write_english  # noqa: E402
from targets import load_tokenizer, open_session, own_states, sentence_targets  # noqa: E402
from texts import read_texts  # noqa: E402

DIMENSIONS = 256
# Smoothing of frequent words: a/(a+p), Arora et al., "A Simple but Tough-to-Beat Baseline for Sentence Embeddings".
SMOOTHING = 1e-4
EPOCHS, BATCH, LEARNING_RATE = 6, 1536, 2e-3
# Adam's constants as in Kingma & Ba, "Adam: A Method for Stochastic Optimization".
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8
SEED = 1


def count_matrix(ids: list[list[int]], pieces: int) -> csr_matrix:
    """How often each wordpiece stands in each text: [texts, pieces]."""
    lengths = np.fromiter((len(row) for row in ids), np.int64, len(ids))
    columns = np.fromiter((piece for row in ids for piece in row), np.int32, int(lengths.sum()))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    matrix = csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(len(ids), pieces))
    matrix.sum_duplicates()
    return matrix


def start_table(states: np.ndarray, counts: csr_matrix) -> np.ndarray:
    """Every wordpiece's own state, without what all have in common, frequent ones weighted down.

    States have length 1 in the mean: Adam's steps do not depend on the size of the gradient, so the rows' size decides
    how far the fit moves them. Of sizes from 12 (as the model gives them) to 0.4, those around 1 did best everywhere.
    """
    states = states / np.linalg.norm(states, axis=1).mean()
    share = np.asarray(counts.sum(axis=0)).ravel().astype(np.float64)
    share /= share.sum()
    weights = SMOOTHING / (SMOOTHING + share)
    return ((states - states.mean(axis=0)) * weights[:, None]).astype(np.float32)


def fit(table: np.ndarray, counts: csr_matrix, targets: np.ndarray) -> np.ndarray:
    """Moves the rows so that a text's sum of rows points where its target points: loss 1 - cos, Adam."""
    table = table.copy()
    first, second = np.zeros_like(table), np.zeros_like(table)
    random = np.random.default_rng(SEED)
    steps = EPOCHS * -(-counts.shape[0] // BATCH)
    step = 0
    for epoch in range(EPOCHS):
        order = random.permutation(counts.shape[0])
        losses = []
        for start in range(0, len(order), BATCH):
            batch = np.sort(order[start : start + BATCH])
            rows, goal = counts[batch], targets[batch]
            sums = rows @ table
            norms = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
            unit = sums / norms
            cosines = (unit * goal).sum(axis=1, keepdims=True)
            losses.append(float(1 - cosines.mean()))
            gradient = rows.T.tocsr() @ ((cosines * unit - goal) / norms / len(batch))
            rate = LEARNING_RATE * (1 - step / steps)
            step += 1
            first += (1 - BETA1) * (gradient - first)
            second += (1 - BETA2) * (gradient * gradient - second)
            table -= (rate / (1 - BETA1**step)) * first / (np.sqrt(second / (1 - BETA2**step)) + EPSILON)
        print(f"epoch {epoch + 1}: mean 1 - cos {np.mean(losses):.4f}", flush=True)
    return table


def project(table: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Onto the leading eigenvectors of the sentence embeddings' second moments: [pieces, DIMENSIONS]."""
    moments = targets.astype(np.float64).T @ targets.astype(np.float64)
    _, vectors = np.linalg.eigh(moments)
    leading = vectors[:, ::-1][:, :DIMENSIONS]
    # An eigenvector's sign is arbitrary: its largest part is made positive.
    signs = np.sign(leading[np.abs(leading).argmax(axis=0), np.arange(DIMENSIONS)])
    return (table.astype(np.float64) @ (leading * signs)).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=Path, nargs="+", required=True, help="files or folders to fit on")
    parser.add_argument("--table", type=Path, required=True, help="where to write the table")
    parser.add_argument("--vocabulary", type=Path, required=True, help="where to write the wordpieces")
    parser.add_argument("--cache", type=Path, help="keep the sentence embeddings here, so that another fit is quick")
    parser.add_argument("--unfitted", action="store_true", help="leave out the fit: for comparison")
    options = parser.parse_args()

    tokenizer = load_tokenizer()
    pieces = tokenizer.get_vocab_size()
    vocabulary = "\n".join(tokenizer.id_to_token(index) for index in range(pieces)).encode()
    texts = read_texts(options.texts)
    ids = [encoding.ids for encoding in tokenizer.encode_batch(texts, add_special_tokens=False)]
    kept = [index for index, row in enumerate(ids) if row]
    ids = [ids[index] for index in kept]
    counts = count_matrix(ids, pieces)
    session = open_session()
    table = start_table(own_states(session, pieces), counts)
    targets = sentence_targets(session, ids, options.cache)
    if not options.unfitted:
        table = fit(table, counts, targets)
    digest = write_english(options.table, project(table, targets), vocabulary)
    options.vocabulary.write_bytes(vocabulary)
    print(f"{options.table}: {options.table.stat().st_size} bytes, content {digest}")


if __name__ == "__main__":
    main()
