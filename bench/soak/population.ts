import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Corpus } from "../serving/corpus.ts";
import type { Client } from "./requests.ts";
import { report, vary } from "./varied-files.ts";

/** A place of the population: what is in it is replaced, so that there are always as many documents. */
export interface Place {
  readonly number: number;
  /** Of the document that is in it now. */
  id: string;
}

/** Places of one kind. Two pieces of work never have the same one at once. */
export interface Places {
  readonly count: number;
  /** Does work with places that no other work has; without any left free, none is done. */
  use(count: number, work: (places: readonly Place[]) => Promise<void>): Promise<void>;
}

export const createPlaces = (ids: readonly string[], random: () => number): Places => {
  const free = ids.map((id, number): Place => ({ number, id }));
  return {
    count: ids.length,
    async use(count, work) {
      if (free.length < count) return;
      const taken = Array.from({ length: count }, () => free.splice(Math.floor(random() * free.length), 1)[0] as Place);
      try {
        await work(taken);
      } finally {
        free.push(...taken);
      }
    },
  };
};

const fixtures = join(import.meta.dir, "../../test/fixtures/documents");
const fileNames = [
  "handbook-1p.docx",
  "norwich-city.txt",
  "fake-power-point.pptx",
  "stanley-cups.xlsx",
  "fake-email.eml",
  "example-10k-1p.html",
  "README.md",
  "fake.odt",
  "stanley-cups.csv",
];
/** Each file in the place of a tenth is a PDF. */
const pdfEvery = fileNames.length + 1;

/** Everything sent is made here: of one seed, and of the number of the piece, so that no two texts are equal. */
export interface Contents {
  text(): string;
  /** The file of a place: always the same one, with a word that no other has. */
  file(place: number): File;
}

/** Characters of a text: from a note to three pages. */
const charactersFrom = 400;
const charactersTo = 6_000;

export const createContents = (corpus: Corpus, random: () => number): Contents => {
  const files = fileNames.map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(fixtures, name))) }));
  let made = 0;
  return {
    text: () => corpus.document(Math.round(charactersFrom + random() ** 2 * (charactersTo - charactersFrom))),
    file(place) {
      made += 1;
      const file = files[place % pdfEvery];
      if (file === undefined) return new File([Buffer.from(report(made))], `${place}-report.pdf`);
      return new File([Buffer.from(vary(file.name, file.bytes, `soak${made.toString(36)}x`))], `${place}-${file.name}`);
    },
  };
};

/** @returns the id of the new document */
export const ingest = async (client: Client, body: unknown): Promise<string> =>
  ((await client.ask("POST", "/api/ingest", body)) as { id: string }).id;

export const fileForm = (file: File): FormData => {
  const form = new FormData();
  form.set("file", file);
  form.set("partition", "files");
  return form;
};
