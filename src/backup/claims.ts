import { graceAfter, pause } from "../async/waiting.ts";
import { claimsFolder } from "./format/format.ts";
import { BackupFailure, type BackupTarget } from "./target/target.ts";

/** A backup adds objects and counts on those that are there; pruning removes objects. */
type ClaimKind = "backup" | "prune";

interface Claim {
  /**
   * Whoever prunes takes a program for killed that stood still for too long, on a suspended machine for one.
   * @throws BackupFailure if that has happened: objects that this one counts on may be gone
   */
  assertHeld(): Promise<void>;
  /** Ends the claim: once its signal has fired, within a second. */
  release(): Promise<void>;
}

const renewEveryMs = 60_000;
/** A claim that was not renewed for this long belongs to a program that was killed. */
const staleMs = 15 * renewEveryMs;
const lookAgainMs = 1_000;
/** A server that stops waits so long for its claim to be removed: the target may hang. */
const removeAfterAbortMs = 1_000;

const claimPattern = /^claims\/([0-9a-f]{16})\.(backup|prune)\.[0-9a-f-]{36}$/;

/**
 * Says on the target itself what this program does there, so that several servers can share one. Each writes its claim
 * and then looks for others: of two who begin at once, at least one sees the other.
 * @param owner names the data directory and its machine: an owner has one process at a time, so other claims of the
 * same owner are what a killed process left
 */
export const createClaims = (target: BackupTarget, owner: string) => {
  /** The kinds of the claims of others. Dead claims are removed. */
  const others = async (own: string, signal: AbortSignal): Promise<ClaimKind[]> => {
    const found = [];
    for await (const object of target.list(claimsFolder, signal)) found.push(object);
    const now = found.find(({ name }) => name === own)?.modifiedAt ?? 0; // by the clock of the target
    const kinds: ClaimKind[] = [];
    for (const { name, modifiedAt } of found) {
      const [, by, kind] = claimPattern.exec(name) ?? [];
      if (name === own || by === undefined) continue;
      if (by === owner || now - modifiedAt > staleMs) await target.remove(name, signal);
      else kinds.push(kind as ClaimKind);
    }
    return kinds;
  };

  const claim = async (kind: ClaimKind, signal: AbortSignal): Promise<Claim & { name: string }> => {
    const name = `${claimsFolder}/${owner}.${kind}.${crypto.randomUUID()}`;
    const write = (): Promise<void> => target.write(name, new TextEncoder().encode(`${kind}\n`), signal);
    await write();
    let isLost = false;
    const look = async (): Promise<void> => {
      isLost ||= (await target.read(name, signal)) === null;
    };
    const renew = async (): Promise<void> => {
      await look();
      if (!isLost) await write();
    };
    let writing = Promise.resolve();
    const timer = setInterval(() => {
      writing = renew().catch(() => undefined); // one of fifteen may be missed
    }, renewEveryMs);
    timer.unref();
    return {
      name,
      async assertHeld() {
        await writing;
        await look();
        if (isLost)
          throw new BackupFailure(
            `Another program that uses ${target.name} took this one for dead, since it stood still for ${staleMs / 60_000} minutes, and may have removed parts of the backup: make another one.`,
          );
      },
      async release() {
        clearInterval(timer);
        await writing;
        // Also after an abort, if the target still answers: a claim that stays only delays others.
        const grace = graceAfter(signal, removeAfterAbortMs);
        await target.remove(name, grace.signal).catch(() => undefined);
        grace.end();
      },
    };
  };

  return {
    /** Waits while somebody removes objects. */
    async forBackup(signal: AbortSignal): Promise<Claim> {
      const own = await claim("backup", signal);
      try {
        while ((await others(own.name, signal)).includes("prune")) {
          await pause(lookAgainMs, signal);
          signal.throwIfAborted();
          await target.write(own.name, new TextEncoder().encode("backup\n"), signal);
        }
        return own;
      } catch (error) {
        await own.release();
        throw error;
      }
    },
    /** @returns null if another program uses the target: pruning can wait for the next backup */
    async forPruning(signal: AbortSignal): Promise<Claim | null> {
      const own = await claim("prune", signal);
      try {
        if ((await others(own.name, signal)).length === 0) return own;
      } catch (error) {
        await own.release();
        throw error;
      }
      await own.release();
      return null;
    },
  };
};

export type Claims = ReturnType<typeof createClaims>;
