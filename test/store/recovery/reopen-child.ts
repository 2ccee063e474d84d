/** Opens the store of a folder, publishes a document and closes it: the native part may write to the process's stderr. */
import { openStore } from "../../../src/store/open.ts";
import { sampleDocument, sampleSnippets } from "../../../tools/samples/records.ts";
import { silentLog } from "../open-temporary-store.ts";

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error("usage: bun reopen-child.ts FOLDER");
const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
const store = await openStore({ dataDir, index, log: silentLog, syncWrites: false });
const document = { ...sampleDocument(), revision: Bun.randomUUIDv7() };
const snippets = sampleSnippets(document, [store.indexes.active().id], ["a text"]);
await store.documents.publish(document, "a text", snippets);
await store.close();
