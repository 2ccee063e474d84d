import { nextTurn } from "../../async/yield.ts";

/** Where things are in a target: docs/backup.md describes it. */

/** The folder of the pieces of files, named by the SHA-256 of their content. */
export const objectsFolder = "objects";
/** The folder of the manifests, one for each complete backup. */
export const backupsFolder = "backups";
/** The folder of the claims of those who work on the target. */
export const claimsFolder = "claims";

/** The records of backups in the data directory, which a backup may hold besides the store. */
export const journalFile = "backups.json";

const digest = /^[0-9a-f]{64}$/;

export const isDigest = (text: string): boolean => digest.test(text);

export const objectName = (sha256: string): string => `${objectsFolder}/${sha256.slice(0, 2)}/${sha256}`;

/** The SHA-256 in the name of an object; null for a name of another form. */
export const digestIn = (name: string): string | null => {
  const sha256 = name.slice(name.lastIndexOf("/") + 1);
  return isDigest(sha256) && name === objectName(sha256) ? sha256 : null;
};

export const manifestName = (id: string): string => `${backupsFolder}/${id}.json`;

const manifest = /^backups\/([0-9a-f-]{36})\.json$/;

/** The id in the name of a manifest; null for a name of another form. */
export const backupIn = (name: string): string | null => manifest.exec(name)?.[1] ?? null;

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
