"""The files of the tables, little-endian. providers/builtin/static/text-vectors.ts reads the one that is built in.

    0   8 bytes   magic "CRLTABLE"
    8   uint32    layout: 1 for the English table, 2 for the one that is built in
    12  uint32    rows: one a wordpiece, in the order of the vocabulary
    16  uint32    dimensions
    20  uint32    0
    24  32 bytes  SHA-256 of the vocabulary's file
    56  32 bytes  SHA-256 of all that follows
    88            float32 [rows]: scale of each row
                  1: int8 [rows][dimensions]: row = scale * these
                  2: uint8 [rows][dimensions / 2]: two numbers a byte, the first in the low half; row = scale * (number - 8)
"""
import hashlib
import struct
from pathlib import Path

import numpy as np

MAGIC = b"CRLTABLE"
HEADER = 88
# Where the largest number of a row may lie: a row takes the scale with the least error.
REACHES = (7, 7.5, 8.5, 10)


def write_english(path: Path, table: np.ndarray, vocabulary: bytes) -> str:
    """Writes the English table in eight bits a number and gives the hash of its content."""
    scales = np.abs(table).max(axis=1) / 127
    scales[scales == 0] = 1
    # The scale as it will be read counts, so it is rounded to float32 before the numbers are.
    scales = scales.astype("<f4")
    numbers = np.clip(np.rint(table / scales[:, None]), -127, 127).astype(np.int8)
    return _write(path, 1, table.shape, scales.tobytes() + numbers.tobytes(), vocabulary)


def read_english(path: Path) -> np.ndarray:
    """The rows of an English table: float32 [rows, dimensions]."""
    content = path.read_bytes()
    layout, rows, dimensions, _ = struct.unpack("<IIII", content[8:24])
    if content[:8] != MAGIC or layout != 1:
        raise SystemExit(f"{path} is no English table of fit.py")
    scales = np.frombuffer(content, "<f4", rows, HEADER)
    numbers = np.frombuffer(content, np.int8, rows * dimensions, HEADER + 4 * rows).reshape(rows, dimensions)
    return (numbers * scales[:, None]).astype(np.float32)


def write_table(path: Path, table: np.ndarray, vocabulary: bytes) -> str:
    """Writes the table in four bits a number and gives the hash of its content."""
    largest = np.abs(table).max(axis=1)
    scales = np.ones_like(largest)
    numbers = np.zeros_like(table)
    least = np.full(len(table), np.inf)
    for reach in REACHES:
        tried = largest / reach
        tried[tried == 0] = 1
        rounded = np.clip(np.rint(table / tried[:, None]), -8, 7)
        errors = ((rounded * tried[:, None] - table) ** 2).sum(axis=1)
        better = errors < least
        least[better], scales[better], numbers[better] = errors[better], tried[better], rounded[better]
    scales = scales.astype("<f4")
    scales[largest == 0] = 0
    halves = (numbers + 8).astype(np.uint8)
    content = scales.tobytes() + (halves[:, 0::2] | (halves[:, 1::2] << 4)).astype(np.uint8).tobytes()
    return _write(path, 2, table.shape, content, vocabulary)


def _write(path: Path, layout: int, shape: tuple[int, ...], content: bytes, vocabulary: bytes) -> str:
    digest = hashlib.sha256(content)
    header = MAGIC + struct.pack("<IIII", layout, *shape, 0) + hashlib.sha256(vocabulary).digest()
    path.write_bytes(header + digest.digest() + content)
    return digest.hexdigest()
