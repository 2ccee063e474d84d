import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Ask, Upload } from "./ask.ts";
import { readUploads } from "./set.ts";

/** A case of a folder `<kind>/<number>/` with `case.json`; its documents are beside it, or in one folder for all. */
export interface Case extends Ask {
  prompt: string | null;
  /** `builtin`, or what the case says of the model that answers it. */
  answerer: string;
  /** What the model says, where it is not real: one text for each of its calls, the last one again and again. */
  said: string[] | null;
}

/** Cases over the same documents. */
export interface CaseGroup {
  documents: Upload[];
  cases: Case[];
}

interface CaseFile extends Pick<Ask, "kind" | "turns" | "scope" | "mustMatch" | "mustNotMatch"> {
  documents: string[];
  answerer: string;
  prompt?: string | null;
  expects?: Ask["expects"];
  language?: string;
  metadata?: Record<string, Record<string, unknown>>;
  said?: string[];
}

/** The cases of a folder, those with the same documents and metadata together. */
export const readCases = async (folder: string): Promise<CaseGroup[]> => {
  const files = (await readdir(folder, { recursive: true })).filter((name) => /(^|[/\\])case\.json$/.test(name)).sort();
  const groups = new Map<string, CaseGroup>();
  for (const file of files) {
    const parsed = JSON.parse(await readFile(join(folder, file), "utf8")) as CaseFile;
    const { documents, metadata = {}, said = null, prompt = null, ...rest } = parsed;
    const key = JSON.stringify([documents, metadata]);
    const own = join(folder, file, "../documents");
    const path = existsSync(own) ? own : join(folder, "documents");
    const group = groups.get(key) ?? { documents: await readUploads(path, documents, metadata), cases: [] };
    group.cases.push({
      expects: "answer",
      language: "en",
      ...rest,
      id: file.slice(0, -"/case.json".length),
      prompt,
      said,
    });
    groups.set(key, group);
  }
  return [...groups.values()];
};
