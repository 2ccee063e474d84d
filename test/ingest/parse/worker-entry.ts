import { runParseWorker } from "../../../src/ingest/parse/worker.ts";

await runParseWorker();
