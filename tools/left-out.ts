import { join } from "node:path";
import type { BunPlugin } from "bun";

interface LeftOut {
  /** As it is imported. */
  module: string;
  /** The package that imports it; null: whoever does. */
  by: string | null;
  /** In `left-out/`: what takes its place, and why nothing is missed. */
  file: string;
}

/**
 * What packages import and the program never runs: 5 MB of code and bytecode. The program as it runs from source has it.
 * `docs/decisions/binary-size.md` has the figures.
 */
const leftOut: readonly LeftOut[] = [
  { module: "openai", by: "@lancedb/lancedb", file: "nothing.ts" },
  { module: "pdf-lib", by: "unstructured-client", file: "pdf-lib.ts" },
  { module: "@scalar/themes", by: "@elysiajs/swagger", file: "scalar-themes.ts" },
  { module: "cssomnom/parse", by: "linkedom", file: "cssomnom.ts" },
  { module: "@modelcontextprotocol/server/_shims", by: "@modelcontextprotocol/server", file: "mcp-shims.ts" },
  { module: "rate-limiter-flexible", by: null, file: "rate-limiter-flexible.ts" },
];

const escaped = (text: string): string => text.replaceAll(/[/.-]/g, "\\$&");

/** Puts small files in place of what is left out. @throws Error in the build where a package has come to import it otherwise */
export const createLeftOut = (): BunPlugin => {
  const missed = new Set(leftOut);
  return {
    name: "left out",
    setup(build) {
      for (const rule of leftOut) {
        build.onResolve({ filter: new RegExp(`^${escaped(rule.module)}$`) }, ({ importer }) => {
          const from = importer.replaceAll("\\", "/");
          if (rule.by !== null && !from.includes(`/node_modules/${rule.by}/`)) return undefined;
          missed.delete(rule);
          return { path: join(import.meta.dir, "left-out", rule.file) };
        });
      }
      build.onEnd(() => {
        const [rule] = missed;
        if (rule !== undefined)
          throw new Error(`Nothing imports ${rule.module} any more: remove its line from tools/left-out.ts.`);
      });
    },
  };
};
