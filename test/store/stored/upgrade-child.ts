/** Opens the store of a folder, which upgrades it, and kills itself where the given number of lines is logged. */
import pino from "pino";
import { openStore } from "../../../src/store/open.ts";

const [dataDir = "", linesBeforeEnd = "0"] = process.argv.slice(2);
let left = Number(linesBeforeEnd);
const log = pino(
  { level: "debug" },
  {
    write(line: string) {
      process.stdout.write(line);
      left -= 1;
      if (left === 0) process.kill(process.pid, "SIGKILL");
    },
  },
);
const index = { provider: "builtin", model: "static", dimensions: 256, analysisVersion: 1 };
const store = await openStore({ dataDir, index, log });
await store.close();
