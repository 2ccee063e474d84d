import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { generatedTables } from "./generated-tables.ts";

/** What must come out: an answer, a refusal or a hedge, or a short text without sources. */
export type Expectation = "answer" | "none-or-hedge" | "no-sources";

/** One thing that a person types, or several in a chat; the expectations are of the last answer. */
export interface Ask {
  id: string;
  kind: string;
  turns: string[];
  /** Name of the document asked about; null: everything. */
  scope: string | null;
  /** Of the last turn. */
  language: string;
  expects: Expectation;
  mustMatch: string[];
  mustNotMatch: string[];
  /** True: a hedge is not good enough. */
  sure?: boolean;
  /** Id of the same question without the courteous words around it. */
  bare?: string;
}

export interface Upload {
  /** The file's name, with its extension. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  metadata?: Record<string, unknown>;
}

export const halves = ["develop", "heldout"] as const;
export type Half = (typeof halves)[number];

export interface EverydaySet {
  documents: Upload[];
  asks: Ask[];
}

const folder = import.meta.dir;

/** Files of a folder, by name: what came in last is then the same in each run. */
export const readUploads = async (
  path: string,
  metadata: Record<string, Record<string, unknown>> = {},
): Promise<Upload[]> => {
  const names = (await readdir(path)).sort();
  return Promise.all(
    names.map(async (name) => {
      const bytes = new Uint8Array(await readFile(join(path, name)));
      return { name, bytes, ...(metadata[name] === undefined ? {} : { metadata: metadata[name] }) };
    }),
  );
};

/** @param rows of the table that is made by code; see `generatedTables` */
export const readEverydaySet = async (half: Half, rows: number): Promise<EverydaySet> => {
  const metadata = JSON.parse(await readFile(join(folder, "documents", "metadata.json"), "utf8"));
  const documents = await readUploads(join(folder, "documents", half), metadata[half]);
  const lines = (await readFile(join(folder, `${half}.ndjson`), "utf8")).trim().split("\n");
  const table = generatedTables[half](rows);
  return {
    documents: [table.document, ...documents],
    asks: [...lines.map((line) => JSON.parse(line) as Ask), ...table.asks],
  };
};
