import { link, readFile, rename, rm, writeFile } from "node:fs/promises";

/** A lock by a file that only its holder made, for systems without a kernel lock that we can reach (Windows). */

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
};

/**
 * A taker that judged the file by what it held a moment ago may move a fresh one aside and put it back; another may come
 * in between. After so long the file says who has it.
 */
const settleMs = 100;

/**
 * Makes the file, or takes it over from a process that is gone.
 * @returns how to let go; null where a living process has it
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
      if (!isCode(error, "EEXIST")) throw error;
    }
    const theirs = await readFile(path, "utf8").catch((error: unknown) => {
      if (isCode(error, "ENOENT")) return null;
      throw error;
    });
    if (theirs === null) continue; // let go of just now
    const pid = Number(theirs.split(" ")[0]);
    if (theirs === "" || pid === process.pid || isAlive(pid)) return null;
    // Only one of several takers gets the stale file by renaming it; who got another's fresh one puts it back.
    const aside = `${path}.${Bun.randomUUIDv7()}`;
    try {
      await rename(path, aside);
    } catch (error) {
      if (isCode(error, "ENOENT")) continue;
      throw error;
    }
    if ((await readFile(aside, "utf8")) !== theirs) await link(aside, path).catch(() => undefined);
    await rm(aside, { force: true });
  }
};
