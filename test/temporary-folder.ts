import { afterAll } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is removed after the tests of the file. @param name shown in its path */
export const temporaryFolder = async (name: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), `carrel-${name}-`));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
