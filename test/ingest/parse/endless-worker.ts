import { endWithParent } from "../../../src/ingest/parse/process/end-with-parent.ts";

endWithParent();
for (;;);
