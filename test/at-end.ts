import { afterAll } from "bun:test";

/**
 * Ends what a test started: after that test, or after all of the file where it was started outside of tests; the last
 * one first. Not within `beforeAll`, which counts as over at once: what all tests use is started at the top of the file.
 * @returns ends it now; it ends once, however often it is asked to
 */
export const atEnd = (end: () => unknown): (() => Promise<void>) => {
  let ending: Promise<void> | undefined;
  const once = (): Promise<void> => {
    ending ??= (async () => void (await end()))();
    return ending;
  };
  afterAll(once);
  return once;
};
