/**
 * Location of a module that runs as a Worker: in the compiled binary, its path in the source tree.
 * @param path from the root of the repository; tools/compile.ts lists it too
 */
export const workerUrl = (path: string): string =>
  /\$bunfs|~BUN/.test(import.meta.url) ? `./${path}` : new URL(`../../${path}`, import.meta.url).href;
