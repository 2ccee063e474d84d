/** Gives a waiting document another name and text without end, and prints a line for each that was acknowledged. */
import { writeSync } from "node:fs";
import { openStore } from "../../../src/store/open.ts";
import { sampleDocument, tenantOf } from "../../../tools/samples/records.ts";
import { silentLog } from "../open-temporary-store.ts";

const [dataDir = "", round = "0"] = process.argv.slice(2);
const store = await openStore({
  dataDir,
  index: { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 },
  log: silentLog,
});
const document = sampleDocument({ name: `${round}-0`, status: "pending" });
await store.documents.add({ ...document, revision: null }, `text ${round}-0`);
for (let count = 1; ; count += 1) {
  writeSync(1, `${document.id}\n`);
  const change = { name: `${round}-${count}`, updatedAt: document.updatedAt + count };
  await store.documents.patch(tenantOf(), document.id, change, `text ${round}-${count}`);
}
