import { signal } from "@preact/signals";
import { RequestFailure } from "./client.ts";
import { client, session } from "./session.ts";

interface ServerState {
  /** `lost`: it does not answer, or is stopping or starting. */
  kind: "ready" | "lost";
  /** Documents that are being read or wait for it, of those the key may see. */
  reading: number;
}

export const server = signal<ServerState>({ kind: "ready", reading: 0 });

/** How often the server came back: what was loaded before may be old. Loaded values follow it. */
export const recoveries = signal(0);

const calmMs = 10_000;
const busyMs = 2_000;
/** Pauses between attempts to reach a server that does not answer; the last one repeats. */
const retryMs = [1_000, 2_000, 4_000, 8_000];

const countOf = async (status: string, stop: AbortSignal): Promise<number> =>
  (await client.list("/api/document", { status, limit: 1 }, stop)).total ?? 0;

/** Watches the server while somebody is signed in. @returns ends it */
export const watchServer = (): (() => void) => {
  const stop = new AbortController();
  let timer = 0;
  let failures = 0;

  const look = async (): Promise<void> => {
    let pauseMs = calmMs;
    try {
      const [pending, processing] = await Promise.all([
        countOf("pending", stop.signal),
        countOf("processing", stop.signal),
      ]);
      if (failures > 0) recoveries.value += 1;
      failures = 0;
      server.value = { kind: "ready", reading: pending + processing };
      if (pending + processing > 0) pauseMs = busyMs;
    } catch (error) {
      if (stop.signal.aborted || session.peek() === null) return;
      if (!(error instanceof RequestFailure) || error.status === 503) {
        pauseMs = retryMs[Math.min(failures, retryMs.length - 1)] ?? calmMs;
        failures += 1;
        server.value = { kind: "lost", reading: 0 };
      }
    }
    if (!stop.signal.aborted) timer = window.setTimeout(look, pauseMs);
  };
  const lookNow = () => {
    if (document.visibilityState === "hidden") return;
    clearTimeout(timer);
    void look();
  };

  void look();
  addEventListener("online", lookNow);
  document.addEventListener("visibilitychange", lookNow);
  return () => {
    stop.abort();
    clearTimeout(timer);
    removeEventListener("online", lookNow);
    document.removeEventListener("visibilitychange", lookNow);
  };
};
