/**
 * Loaded before the program, it makes syncing do nothing: the self-check of the power losses, which are to notice that
 * (`bun --preload … src/main.ts`).
 */
const call = "createDiskSync(dataDir, libc, options.syncWrites)";
const disabled = "createDiskSync(dataDir, libc, false)";

Bun.plugin({
  name: "without sync",
  setup(build) {
    build.onLoad({ filter: /\/src\/store\/open-engine\.ts$/ }, async ({ path }) => {
      const source = await Bun.file(path).text();
      if (!source.includes(call)) throw new Error(`${path} has no "${call}"`);
      return { contents: source.replace(call, disabled), loader: "ts" };
    });
  },
});
