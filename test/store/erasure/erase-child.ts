/** Removes a document and is killed at once, before anything of it could leave the disk. */
import { openStore } from "../../../src/store/open.ts";
import { tenantOf } from "../../../tools/samples/records.ts";
import { silentLog } from "../open-temporary-store.ts";

const [dataDir = "", id = ""] = process.argv.slice(2);
const store = await openStore({
  dataDir,
  index: { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 },
  log: silentLog,
});
await store.documents.remove(tenantOf(), id);
process.kill(process.pid, "SIGKILL");
