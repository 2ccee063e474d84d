import { setDefaultTimeout } from "bun:test";

// Tests open real listeners, tables and processes: a slow shared machine needs more than the default 5 s.
setDefaultTimeout(60_000);
