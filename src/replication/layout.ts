/** What of the data directory a shared store has in its bucket, and where. */

/** An uploaded file, in the bucket and in the data directory. */
export const objectOfFile = (hash: string): string => `files/${hash.slice(0, 2)}/${hash}`;

/** Manifests of two keepers may have one name in a table: in the bucket each has a name of its own. */
export const newManifestObject = (table: string): string => `manifests/${table}/${crypto.randomUUID()}`;

/** Small files of the data directory that belong to the store: they are in the head. */
export const noteNames = ["secret", "ages.json", "backups.json", "damage.json", "settings-seen.json"] as const;

/**
 * What is no longer needed stays in the bucket for so long (ms): whoever read the head before still fetches it. Erased rows
 * leave the disk of the keeper within 30 s, and the bucket within the minute.
 */
export const removeAfterMs = 15_000;
