import { mkdir, open, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../log.ts";

/** Every manifest of LanceDB ends with these bytes. */
const magic = "LANC";

const isWhole = async (path: string): Promise<boolean> => {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size < magic.length) return false;
    const { buffer } = await file.read(new Uint8Array(magic.length), 0, magic.length, size - magic.length);
    return new TextDecoder().decode(buffer) === magic;
  } finally {
    await file.close();
  }
};

/**
 * Sets aside manifests that a power cut left empty or cut off: they would make their table unopenable, while the
 * version before is still good.
 * @returns names of the files set aside
 */
export const quarantineBrokenManifests = async (
  tablesFolder: string,
  quarantineFolder: string,
  log: Logger,
): Promise<string[]> => {
  const broken: string[] = [];
  const tables = await readdir(tablesFolder, { withFileTypes: true }).catch(() => []);
  for (const table of tables) {
    if (!table.isDirectory() || !table.name.endsWith(".lance")) continue;
    const versions = join(tablesFolder, table.name, "_versions");
    for (const name of await readdir(versions).catch(() => [])) {
      if (!name.endsWith(".manifest") || (await isWhole(join(versions, name)))) continue;
      await mkdir(quarantineFolder, { recursive: true, mode: 0o700 });
      const kept = `${table.name}-${name}`;
      await rename(join(versions, name), join(quarantineFolder, kept));
      log.warn({ table: table.name, file: kept }, "a broken table version was set aside; the one before is used");
      broken.push(kept);
    }
  }
  return broken;
};
