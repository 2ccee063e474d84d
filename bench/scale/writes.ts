import { join } from "node:path";
import { createCorpus } from "../serving/corpus.ts";
import { post, sendBatch, snippetsOf, untilProcessed } from "../serving/program.ts";
import { diskBytes } from "../soak/process.ts";
import { type Figure, median } from "./figure.ts";
import { watchTree } from "./process-tree.ts";
import { type KeptStore, untilQuiet } from "./store.ts";

const textCount = 60;
const batchSize = 300;

/** Small texts one after the other, and a batch until all of it is found. */
export const writes = (store: KeptStore): Promise<Figure[]> =>
  store.change(async (program) => {
    const corpus = createCorpus(55);
    const one = async (at: number): Promise<number> => {
      const started = performance.now();
      await post(program, "/api/ingest", { name: `small ${at}`, text: corpus.document(400) });
      return performance.now() - started;
    };
    for (let at = 0; at < 10; at++) await one(at);
    const took: number[] = [];
    for (let at = 0; at < textCount; at++) took.push(await one(10 + at));
    const documents = Array.from({ length: batchSize }, (_, at) => ({
      name: `batch ${at}`,
      text: corpus.document(12_000),
    }));
    const watched = watchTree(program.pid);
    const started = performance.now();
    await sendBatch(program, documents);
    await untilProcessed(program, store.documents + 10 + textCount + batchSize);
    const each = (performance.now() - started) / batchSize;
    const { cpuMs } = watched.stop();
    return [
      { measure: "one small text, until it is found", value: median(took), unit: "ms", floor: null, goal: { most: 8 } },
      { measure: "a document of 20 snippets in a batch", value: each, unit: "ms", floor: null, goal: null },
      { measure: "the same", value: cpuMs / batchSize, unit: "ms of CPU", floor: null, goal: null },
    ];
  });

/** What one more document makes upkeep do until all is quiet. */
export const upkeep = (store: KeptStore): Promise<Figure[]> =>
  store.change(async (program) => {
    await untilQuiet(program);
    const watched = watchTree(program.pid);
    await post(program, "/api/ingest", { name: "one more", text: createCorpus(91).document(12_000) });
    await untilQuiet(program, 30);
    const { cpuMs, writtenBytes } = watched.stop();
    return [
      { measure: "one more document, with upkeep", value: cpuMs, unit: "ms of CPU", floor: null, goal: null },
      { measure: "written for it", value: writtenBytes / 1024, unit: "KB", floor: null, goal: null },
    ];
  });

/** Bytes on the disk for a snippet. */
export const disk = async (store: KeptStore): Promise<Figure[]> => {
  const snippets = await store.read(snippetsOf);
  const value = diskBytes(join(store.folder, "data")) / 1024 / snippets;
  return [{ measure: "on the disk for a snippet", value, unit: "KB", floor: null, goal: { most: 3 } }];
};
