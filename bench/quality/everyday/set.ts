import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Ask, Half, Upload } from "./ask.ts";
import { generatedTables } from "./generated-tables.ts";

export interface EverydaySet {
  documents: Upload[];
  asks: Ask[];
}

const folder = import.meta.dir;

/** Files of a folder, in the order of their names: what came in last is then the same in each run. */
export const readUploads = async (
  path: string,
  names: readonly string[],
  metadata: Record<string, Record<string, unknown>> = {},
): Promise<Upload[]> =>
  Promise.all(
    names.toSorted().map(async (name) => {
      const bytes = new Uint8Array(await readFile(join(path, name)));
      return { name, bytes, ...(metadata[name] === undefined ? {} : { metadata: metadata[name] }) };
    }),
  );

/** @param rows of the table that is made by code; see `generatedTables` */
export const readEverydaySet = async (half: Half, rows: number): Promise<EverydaySet> => {
  const metadata = JSON.parse(await readFile(join(folder, "documents", "metadata.json"), "utf8"));
  const name = half.startsWith("later") ? "later" : half;
  const path = join(folder, "documents", name);
  const documents = await readUploads(path, await readdir(path), metadata[name]);
  const lines = (await readFile(join(folder, `${half}.ndjson`), "utf8")).trim().split("\n");
  const asks = lines.map((line) => JSON.parse(line) as Ask);
  const table = generatedTables[half]?.(rows);
  return table === undefined
    ? { documents, asks }
    : { documents: [table.document, ...documents], asks: [...asks, ...table.asks] };
};
