import { setDefaultTimeout } from "bun:test";

// Tests open real listeners, tables and processes: a slow shared machine needs more than the default 5 s. Bun keeps it
// for the first file of a run only: runs of many files say `--timeout`.
setDefaultTimeout(60_000);
