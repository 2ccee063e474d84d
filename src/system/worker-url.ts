/**
 * Where a module that is started as a Worker is: in the compiled binary it stands under its path in the source tree.
 * @param path from the root of the repository; tools/compile.ts lists it too
 */
export const workerUrl = (path: string): string =>
  /\$bunfs|~BUN/.test(import.meta.url) ? `./${path}` : new URL(`../../${path}`, import.meta.url).href;
