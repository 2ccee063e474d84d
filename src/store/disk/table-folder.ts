/** The names of what LanceDB keeps of a table. */

/** Where a table is, relative to the data directory, and in the bucket of a shared store. */
export const folderOf = (table: string): string => `tables/${table}.lance`;

const folderName = /^([A-Za-z0-9_-]+)\.lance$/;

/** The table whose folder this is in `tables/`; null: it is no table's. */
export const tableIn = (name: string): string | null => folderName.exec(name)?.[1] ?? null;

const manifest = /^\d{20}\.manifest$/;
/** What a manifest is called. Version numbers in the names count down: sorted by name, the newest comes first. */
export const manifestPattern = manifest.source;

const lastVersion = 2n ** 64n - 1n;

/** Where the manifest of a version is, relative to the folder of its table. */
export const manifestOf = (version: number): string =>
  `_versions/${String(lastVersion - BigInt(version)).padStart(20, "0")}.manifest`;

/** @param names of files in `_versions` @returns those of manifests, the newest first */
export const newestFirst = (names: readonly string[]): string[] => names.filter((name) => manifest.test(name)).sort();

/** What the files of a table held when they were last known to be sound (src/store/recovery/seal.ts); of this machine. */
export const sealName = "_seal.json";
