import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCorpus } from "../serving/corpus.ts";
import {
  type Program,
  sendBatch,
  snippetsOf,
  startProgram,
  temporaryFolder,
  untilProcessed,
} from "../serving/program.ts";
import { watchTree } from "./process-tree.ts";

/** Vectors of a model would take an hour to make. */
const settings = { CARREL_MODELS_EMBEDDING_MODEL: "static" };
const documentsEach = 1_000;
/** Of a document: some 20 snippets. */
const characters = 12_000;
/** Metadata of the documents: each 50th has one shelf, each 4th one wing. */
const shelves = 50;
const wings = 4;

/** A store that is made once and kept, and the program over it. */
export interface KeptStore {
  documents: number;
  snippets: number;
  /** Starts the program over the store, which only reads in it. */
  read<T>(use: (program: Program) => Promise<T>): Promise<T>;
  /** Starts the program over a copy, which is removed again. */
  change<T>(use: (program: Program) => Promise<T>): Promise<T>;
  folder: string;
}

/** A machine that is busy with other work may never be quiet. */
const maxLooks = 40;

/** Waits until neither the program nor its upkeep, which is another process, has anything to do. */
export const untilQuiet = async (program: Program, seconds = 15): Promise<void> => {
  const watched = watchTree(program.pid);
  for (let last = -1, looks = 0; looks < maxLooks; looks++) {
    const { cpuMs } = watched.used();
    if (last >= 0 && cpuMs - last < 20 * seconds) break;
    last = cpuMs;
    await Bun.sleep(seconds * 1_000);
  }
  watched.stop();
};

/** Full tables of an index are merged in a silence that is longer the more they have: until then a question asks more of them. */
const untilMerged = async (tables: string, snippets: number): Promise<void> => {
  const silenceMs = 60_000 + 1.2 * Math.min(snippets, 250_000);
  const look = (): string => readdirSync(tables).sort().join();
  for (let last = ""; last !== look(); await Bun.sleep(silenceMs)) last = look();
};

const make = async (command: readonly string[], folder: string, wanted: number): Promise<void> => {
  rmSync(folder, { recursive: true, force: true });
  const corpus = createCorpus(11);
  const program = await startProgram(command, folder, settings);
  let documents = 0;
  let snippets = 0;
  while (snippets < wanted) {
    const left = Math.min(documentsEach, Math.max(1, Math.ceil((wanted - snippets) / 20)));
    const texts = Array.from({ length: left }, (_, at) => ({
      name: `document ${documents + at}`,
      text: corpus.document(characters),
      metadata: { shelf: String((documents + at) % shelves), wing: String((documents + at) % wings) },
    }));
    await sendBatch(program, texts);
    documents += left;
    await untilProcessed(program, documents);
    snippets = await snippetsOf(program);
  }
  await untilMerged(join(folder, "data/tables"), snippets);
  await untilQuiet(program);
  await program.stop();
  writeFileSync(join(folder, "made.json"), JSON.stringify({ documents, snippets }));
};

/** @param wanted snippets */
export const keptStore = async (command: readonly string[], folder: string, wanted: number): Promise<KeptStore> => {
  const note = join(folder, "made.json");
  if (!existsSync(note)) await make(command, folder, wanted);
  const { documents, snippets } = JSON.parse(readFileSync(note, "utf8")) as { documents: number; snippets: number };
  const run = async <T>(at: string, use: (program: Program) => Promise<T>): Promise<T> => {
    const program = await startProgram(command, at, settings);
    try {
      return await use(program);
    } finally {
      await program.stop();
    }
  };
  return {
    documents,
    snippets,
    folder,
    read: (use) => run(folder, use),
    async change(use) {
      const copy = temporaryFolder();
      try {
        cpSync(join(folder, "data"), join(copy.path, "data"), { recursive: true });
        return await run(copy.path, use);
      } finally {
        copy.remove();
      }
    },
  };
};
