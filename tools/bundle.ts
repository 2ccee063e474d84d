import { join, relative } from "node:path";
import { pageEntries } from "../src/web/bundle-pages.ts";
import { createLeftOut } from "./left-out.ts";

/** Modules started as Workers: each is an entry point of its own, found in the binary under its path. */
export const workerEntries: readonly string[] = [
  "providers/builtin/minilm/worker.ts",
  "src/ingest/index/analysis-worker.ts",
  "src/sites/site-worker.ts",
];

/** What the bundler replaces; decides which branches of the packages are left out. */
export const definitions = { "process.env.NODE_ENV": '"production"' };

/** LanceDB's addon, which its loader names for every system: tools/compile.ts puts it in packed. */
export const externals = ["@lancedb/lancedb-*"];

/**
 * Bundles the program and its pages as the build does, without compiling it.
 * @returns absolute paths of the modules and files that are in it, sorted
 */
export const bundledFiles = async (root: string): Promise<string[]> => {
  const shared = { root, splitting: true, define: definitions, metafile: true };
  const bundles = await Promise.all([
    Bun.build({
      ...shared,
      entrypoints: ["src/commands/line/command-line.ts", ...workerEntries].map((path) => join(root, path)),
      target: "bun",
      minify: { whitespace: true, syntax: true },
      external: externals,
      plugins: [createLeftOut()],
    }),
    Bun.build({ ...shared, entrypoints: [...pageEntries], target: "browser", minify: true }),
  ]);
  const inputs = bundles
    .flatMap(({ metafile }) => Object.values(metafile?.outputs ?? {}))
    .flatMap((output) => Object.entries(output.inputs));
  // Paths are relative to the working directory, which is not always the root.
  const from = relative(root, process.cwd());
  return [
    ...new Set(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => join(root, from, path))),
  ].sort();
};
