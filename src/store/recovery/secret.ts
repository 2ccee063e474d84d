import { randomBytes } from "node:crypto";
import { link, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "../engine/table-definition.ts";
import { StoreDamagedError } from "./check-table.ts";

const secretBytes = 32;

/** As it is stored: with a checksum behind it. */
const withChecksum = (secret: Uint8Array): Buffer => {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(secret));
  return Buffer.concat([secret, checksum]);
};

/** The secret of a data directory. @returns null if there is none @throws StoreDamagedError if it is not as it was written */
export const storedSecret = async (dataDir: string): Promise<Uint8Array | null> => {
  const path = join(dataDir, "secret");
  const file = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null) return null;
  const secret = new Uint8Array(file.subarray(0, secretBytes));
  if (file.equals(withChecksum(secret))) return secret;
  throw new StoreDamagedError(
    `the secret in the data directory is damaged: restore it from the last backup, or delete ${path}; then a new one is made, and visitors of public chats no longer see their earlier messages.`,
  );
};

/** The secret stored with the data, created at the first start. @throws StoreDamagedError if it is not as it was written */
export const readOrCreateSecret = async (dataDir: string): Promise<Uint8Array> => {
  const path = join(dataDir, "secret");
  const stored = await storedSecret(dataDir);
  if (stored !== null) return stored;
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, withChecksum(randomBytes(secretBytes)), { mode: 0o600, flag: "w", flush: true });
  try {
    await link(draft, path);
  } finally {
    await unlink(draft);
  }
  return readOrCreateSecret(dataDir);
};
