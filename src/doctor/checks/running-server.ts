import { fetchFromSocket } from "../../runtime/operator-socket.ts";
import { type LockHolder, readLockHolder } from "../../store/disk/lock.ts";

/** The server that runs on a data folder. */
export interface RunningServer {
  holder: LockHolder | null;
  /** Status of its `/health/ready`; null if it does not answer. */
  status: string | null;
  /** The codes that it gives with the status. */
  problems: readonly unknown[];
  /** " on http://…, process 12", for a sentence. */
  at: string;
}

const answerWithinMs = 10_000;

/** Asks over the socket, and reads the lock file without taking the lock. @returns null where no server runs */
export const runningServer = async (dataDir: string, signal: AbortSignal): Promise<RunningServer | null> => {
  const holder = await readLockHolder(dataDir);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
  try {
    const response = await fetchFromSocket(dataDir, "/health/ready", { signal: limit });
    if (response === null) return null;
    const body = (await response.json()) as { status?: unknown; problems?: unknown };
    const status = typeof body.status === "string" ? body.status : null;
    return { holder, status, problems: Array.isArray(body.problems) ? body.problems : [], at: describe(holder) };
  } catch {
    signal.throwIfAborted();
    return { holder, status: null, problems: [], at: describe(holder) };
  }
};

const describe = (holder: LockHolder | null): string =>
  holder === null ? "" : `${holder.address === null ? "" : ` on ${holder.address}`}, process ${holder.pid}`;
