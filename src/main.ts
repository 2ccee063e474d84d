import { runCommandLine } from "./commands/line/command-line.ts";

await runCommandLine(null);
