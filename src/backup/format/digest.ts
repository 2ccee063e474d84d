import { nextTurn } from "../../async/yield.ts";

/** Bytes that are hashed before other work has its turn: less than a millisecond. */
const sliceBytes = 512 * 1024;

/** Adds some bytes to a hash; other work runs meanwhile. */
export const updateDigest = async (hash: Bun.CryptoHasher, bytes: Uint8Array): Promise<void> => {
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    if (start > 0) await nextTurn();
    hash.update(bytes.subarray(start, start + sliceBytes));
  }
};

/** The SHA-256 of some bytes, in hexadecimal digits; other work runs meanwhile. */
export const digestOf = async (bytes: Uint8Array): Promise<string> => {
  const hash = new Bun.CryptoHasher("sha256");
  await updateDigest(hash, bytes);
  return hash.digest("hex");
};
