import { connect } from "../../../src/store/engine/lance.ts";
import { createUpkeepApart } from "../../../src/store/upkeep/upkeep-apart.ts";
import { createUpkeepHere } from "../../../src/store/upkeep/upkeep-here.ts";
import { silentLog } from "../open-temporary-store.ts";
import { upkeepCommand } from "./upkeep-command.ts";

/** A process that has upkeep done by another, and then waits to be killed: `upkeep-parent.ts FOLDER TABLE`. */
const [folder = "", table = ""] = process.argv.slice(2);
const { lance, connection } = await connect(folder);
const apart = createUpkeepApart({
  command: upkeepCommand,
  folder,
  here: createUpkeepHere(lance, connection, folder),
  log: silentLog,
});
await apart.tidy({ table, removeBefore: 0, removeUnnamed: false, vectorIndex: null, countUnindexed: false });
console.log("tidied");
setInterval(() => undefined, 1_000);
