/**
 * What writers notice of a backup's mark: how long a write takes, while nothing else happens and while the store is
 * frozen twice a second (a backup does it once).
 *
 *     bun bench/backup/freeze-pause.ts [documents]
 */
import { join } from "node:path";
import pino from "pino";
import { openStore } from "../../src/store/open.ts";
import { sampleDocument, sampleSnippets } from "../../tools/samples/records.ts";
import { temporaryFolder } from "../serving/program.ts";

const documents = Number(process.argv[2] ?? 5_000);
const dimensions = 256;
const writers = 4;
const phaseMs = 15_000;
const phases = 4;
const freezeEveryMs = 500;
const folder = temporaryFolder();
const index = { provider: "builtin", model: "static", dimensions, analysisVersion: 1 };
const store = await openStore({ dataDir: join(folder.path, "data"), index, log: pino({ level: "warn" }) });

const vector = (): Float32Array => Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
const publication = () => {
  const document = sampleDocument();
  const texts = Array.from({ length: 5 }, (_, position) => `Passage ${position} of ${document.id} on birds.`);
  const snippets = sampleSnippets(document, [store.indexes.active().id], texts, vector);
  return { document, text: texts.join(" "), snippets };
};
for (let done = 0; done < documents; done += 250)
  await store.documents.publishNew(Array.from({ length: 250 }, publication));

const at = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(0);

/** Writes for a while. @returns how long each write took */
const phase = async (freezes: boolean): Promise<{ writes: number[]; freezeMs: number[] }> => {
  const end = performance.now() + phaseMs;
  const writes: number[] = [];
  const freezeMs: number[] = [];
  const writer = async (): Promise<void> => {
    while (performance.now() < end) {
      const { document, text, snippets } = publication();
      const startedAt = performance.now();
      await store.documents.publish(document, text, snippets);
      writes.push(performance.now() - startedAt);
    }
  };
  const freezer = async (): Promise<void> => {
    while (freezes && performance.now() < end) {
      const startedAt = performance.now();
      const frozen = await store.freeze();
      freezeMs.push(performance.now() - startedAt);
      await frozen.release();
      await Bun.sleep(freezeEveryMs);
    }
  };
  await Promise.all([...Array.from({ length: writers }, writer), freezer()]);
  return { writes: writes.sort((a, b) => a - b), freezeMs: freezeMs.sort((a, b) => a - b) };
};

try {
  for (let number = 0; number < phases; number += 1) {
    const freezes = number % 2 === 1;
    const { writes, freezeMs } = await phase(freezes);
    const figures = `${writes.length} writes, ms p50 ${at(writes, 0.5)}, p99 ${at(writes, 0.99)}, longest ${at(writes, 1)}`;
    const frozen = freezes
      ? `; ${freezeMs.length} freezes, ms p50 ${at(freezeMs, 0.5)}, longest ${at(freezeMs, 1)}`
      : "";
    process.stdout.write(`${freezes ? "with freezes" : "without     "}  ${figures}${frozen}\n`);
  }
} finally {
  await store.close();
  folder.remove();
}
