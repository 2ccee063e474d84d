import { endWithParent } from "../../src/parse/process/end-with-parent.ts";

endWithParent();
for (;;);
