import { randomBytes } from "node:crypto";
import { link, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StoreDamagedError } from "./recovery/check-table.ts";

const secretBytes = 32;

const checksumBytes = 4;

const withChecksum = (secret: Buffer): Buffer => {
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32BE(Bun.hash.crc32(secret));
  return Buffer.concat([secret, checksum]);
};

const nullIfMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === "ENOENT") return null;
  throw error;
};

/** @returns the secret that a file holds; null if it is damaged. Earlier versions wrote no checksum behind it */
export const readSecret = (file: Buffer): Uint8Array | null => {
  const secret = file.subarray(0, secretBytes);
  const isWhole = file.length === secretBytes || file.equals(withChecksum(secret));
  return isWhole && secret.length === secretBytes ? new Uint8Array(secret) : null;
};

/** The secret of a data directory. @returns null if there is none, or it is damaged @throws the error of the file system */
export const storedSecret = async (dataDir: string): Promise<Uint8Array | null> => {
  const file = await readFile(join(dataDir, "secret")).catch(nullIfMissing);
  return file === null ? null : readSecret(file);
};

/** The secret stored with the data, created at the first start. @throws StoreDamagedError if it is not as it was written */
export const readOrCreateSecret = async (dataDir: string): Promise<Uint8Array> => {
  const path = join(dataDir, "secret");
  const existing = await readFile(path).catch(nullIfMissing);
  if (existing !== null) {
    const stored = readSecret(existing);
    if (stored === null)
      throw new StoreDamagedError(
        `the secret in the data directory is damaged: restore it from a backup, or delete ${path}; then a new one is made, and visitors of public chats no longer see their earlier messages`,
      );
    return stored;
  }
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, withChecksum(randomBytes(secretBytes)), { mode: 0o600, flag: "w", flush: true });
  try {
    await link(draft, path);
  } finally {
    await unlink(draft);
  }
  return readOrCreateSecret(dataDir);
};
