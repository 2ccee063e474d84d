import { runParseWorker } from "../../src/parse/worker.ts";

await runParseWorker();
