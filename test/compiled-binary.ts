import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Where the compiled program is. `npm test` makes it before the tests; otherwise it is made here, which takes a quarter of
 * a minute, unless the sources are those that it was made of.
 */
export const compiledBinary = (): Promise<string> => {
  made ??= make();
  return made;
};

/** Looked at once in a run: the sources do not change meanwhile. */
let made: Promise<string> | null = null;

const make = async (): Promise<string> => {
  const build = Bun.spawn([process.execPath, `${root}tools/build.mjs`, "--if-changed"], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = await new Response(build.stderr).text();
  if ((await build.exited) !== 0) throw new Error(`the program could not be compiled:\n${said}`);
  return `${root}dist/carrel${process.platform === "win32" ? ".exe" : ""}`;
};
