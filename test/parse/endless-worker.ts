import { endWithParent } from "../../src/system/end-with-parent.ts";

endWithParent();
for (;;);
