import { rmdir, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { graceAfter } from "../../async/waiting.ts";
import { claimsFolder } from "../format/names.ts";
import { BackupFailure, type BackupTarget } from "./target.ts";

/** A target that hangs is told of after this long. */
const limitMs = 20_000;
/** After that, the object that was written may take so long to be removed. */
const removeWithinMs = 2_000;

/**
 * Writes, reads and removes one small object, and leaves the target as it was: folders that it had to make go too.
 * @throws BackupFailure that says what does not work; the signal's reason
 */
export const tryTarget = async (target: BackupTarget, signal: AbortSignal): Promise<void> => {
  const late = AbortSignal.timeout(limitMs);
  const limit = AbortSignal.any([signal, late]);
  const name = `${claimsFolder}/try.${crypto.randomUUID()}`;
  const written = crypto.getRandomValues(new Uint8Array(16));
  const made = isAbsolute(target.name) ? await firstMissing(join(target.name, claimsFolder)) : null;
  try {
    try {
      await target.write(name, written, limit);
      const read = await target.read(name, limit);
      if (read === null || !Buffer.from(read).equals(written))
        throw new BackupFailure(
          `${target.name} does not keep what is written to it: what was read back was different.`,
        );
      await target.remove(name, limit);
    } catch (error) {
      const grace = graceAfter(limit, removeWithinMs);
      await target.remove(name, grace.signal).catch(() => undefined);
      grace.end();
      throw error;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw new BackupFailure(`${target.name} did not answer within ${limitMs / 1_000} seconds.`);
    throw error;
  } finally {
    if (made !== null) await removeEmpty(join(target.name, claimsFolder), made);
  }
};

/** The uppermost folder of a path that is not there; null if all are. */
const firstMissing = async (path: string): Promise<string | null> => {
  let missing: string | null = null;
  for (let at = path; ; at = dirname(at)) {
    if ((await stat(at).catch(() => null)) !== null || at === dirname(at)) return missing;
    missing = at;
  }
};

/** Removes empty folders from one up to another that is above it. */
const removeEmpty = async (from: string, to: string): Promise<void> => {
  for (let at = from; at.length >= to.length; at = dirname(at)) await rmdir(at).catch(() => undefined);
};
