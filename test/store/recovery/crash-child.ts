/** Publishes, adds and removes documents without end, and prints a line for each that was acknowledged. */
import { writeSync } from "node:fs";
import { openStore } from "../../../src/store/open.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { silentLog } from "../open-temporary-store.ts";
import { model, vectorsOf } from "../vectors/made-vectors.ts";

const [dataDir = "", round = "0"] = process.argv.slice(2);
const store = await openStore({
  dataDir,
  index: { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 },
  log: silentLog,
  segmentRows: { full: 10, merged: 60 },
});
const indexId = store.indexes.active().id;
const set = await store.vectors.begin(model);
/** At once: what was said before a kill has to have been heard. */
const say = (event: string, id: string, revision: string) => writeSync(1, `${event} ${id} ${revision}\n`);

const work = async (worker: number): Promise<void> => {
  for (let count = 0; ; count += 1) {
    const name = `${round}-${worker}-${count}`;
    const { hash } = await store.blobs.put(new TextEncoder().encode(name), 100);
    const document = sampleDocument({ name, status: "processing", blobHash: hash });
    say("adding", document.id, "");
    await store.documents.add({ ...document, revision: null }, "apple pending");
    say("added", document.id, "");
    for (let version = 0; version < 3; version += 1) {
      const next = { ...document, status: "processed" as const, revision: Bun.randomUUIDv7() };
      const snippets = sampleSnippets(next, [indexId], ["apple one", "apple two"]);
      say("publishing", document.id, next.revision);
      await store.documents.publish(next, `apple ${next.revision}`, snippets);
      say("published", document.id, next.revision);
      const adding = store.vectors.add(set.id, [{ document: next, vectors: vectorsOf(snippets) }]);
      if (version === 0) await adding; // else beside what follows
    }
    if (count % 3 === 2) {
      say("removing", document.id, "");
      await store.documents.remove(tenantOf(), document.id);
      say("removed", document.id, "");
    }
  }
};
say("ready", "", "");
await Promise.all([work(0), work(1), work(2)]);
