import { endWithParent } from "../../src/system/libc.ts";

endWithParent();
for (;;);
