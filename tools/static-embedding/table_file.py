"""The table's file, little-endian. providers/builtin/static/table.ts reads it.

    0   8 bytes   magic "CRLTABLE"
    8   uint32    version of this layout: 1
    12  uint32    rows: one a wordpiece, in the order of the vocabulary
    16  uint32    dimensions
    20  uint32    0
    24  32 bytes  SHA-256 of the vocabulary's file
    56  32 bytes  SHA-256 of all that follows
    88            float32 [rows]: scale of each row
                  int8 [rows][dimensions]: row = scale * these
"""
import hashlib
import struct
from pathlib import Path

import numpy as np

MAGIC, VERSION = b"CRLTABLE", 1


def write_table(path: Path, table: np.ndarray, vocabulary: bytes) -> str:
    """Writes the table and gives the hash of its content."""
    scales = np.abs(table).max(axis=1) / 127
    scales[scales == 0] = 1
    # The scale as it will be read counts, so it is rounded to float32 before the numbers are.
    scales = scales.astype("<f4")
    numbers = np.clip(np.rint(table / scales[:, None]), -127, 127).astype(np.int8)
    content = scales.tobytes() + numbers.tobytes()
    digest = hashlib.sha256(content)
    header = MAGIC + struct.pack("<IIII", VERSION, *table.shape, 0) + hashlib.sha256(vocabulary).digest()
    path.write_bytes(header + digest.digest() + content)
    return digest.hexdigest()
