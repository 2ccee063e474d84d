import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { codeOf } from "../../domain/errors.ts";

/** A lock made of a file, for systems without a kernel lock that Bun can call (Windows). */

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
};

/**
 * A process that read a stale file may move away a new file of another process and put it back; a third process may
 * come in between. After this time, the file names its owner.
 */
const settleMs = 100;

/**
 * Creates the file, or takes it over from a process that has ended.
 * @returns the function that releases it; null if a running process has it
 */
export const takeExclusiveFile = async (path: string): Promise<(() => Promise<void>) | null> => {
  const mine = `${process.pid} ${Bun.randomUUIDv7()}`;
  for (;;) {
    try {
      await writeFile(path, mine, { flag: "wx", mode: 0o600, flush: true });
      await Bun.sleep(settleMs);
      const kept = await readFile(path, "utf8").catch(() => "");
      return kept === mine ? () => rm(path, { force: true }) : null;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    const theirs = await readFile(path, "utf8").catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    });
    if (theirs === null) continue; // released just now
    const pid = Number(theirs.split(" ")[0]);
    if (theirs === "" || pid === process.pid || isAlive(pid)) return null;
    // Only one process can rename the stale file; one that renamed a new file puts it back.
    const aside = `${path}.${Bun.randomUUIDv7()}`;
    try {
      await rename(path, aside);
    } catch (error) {
      if (codeOf(error) === "ENOENT") continue;
      throw error;
    }
    if ((await readFile(aside, "utf8")) !== theirs) await link(aside, path).catch(() => undefined);
    await rm(aside, { force: true });
  }
};
