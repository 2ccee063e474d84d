import { randomBytes } from "node:crypto";
import { link, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

const secretBytes = 32;

/** The secret stored with the data, created at the first start. @throws if the file has another length */
export const readOrCreateSecret = async (dataDir: string): Promise<Uint8Array> => {
  const path = join(dataDir, "secret");
  const existing = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (existing !== null) {
    if (existing.length !== secretBytes)
      throw new Error(
        `the secret in the data directory is damaged: restore it from a backup, or delete ${path}; then a new one is made, and visitors of public chats no longer see their earlier messages`,
      );
    return new Uint8Array(existing);
  }
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, randomBytes(secretBytes), { mode: 0o600, flag: "w", flush: true });
  try {
    await link(draft, path);
  } finally {
    await unlink(draft);
  }
  return readOrCreateSecret(dataDir);
};
