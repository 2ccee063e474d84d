import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "./at-end.ts";

/** A folder that is removed with the test (`atEnd`). @param name shown in its path */
export const temporaryFolder = async (name: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), `carrel-${name}-`));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
};
