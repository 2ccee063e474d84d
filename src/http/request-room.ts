import { readFileSync } from "node:fs";
import { ApiError } from "../domain/errors.ts";
import { networkOf } from "../domain/web-address.ts";

/** Half of the file descriptors are for clients: the store, parsers and models need the others. */
const partForClients = 1 / 2;
/** Part of those that requests from one network may take. */
const partForNetwork = 1 / 4;
/** Where the system does not say how many it allows. */
const usualDescriptors = 4096;

/** How many requests are at work, by the network that they come from. */
interface RequestRoom {
  /**
   * Takes a place. A connection cannot be refused before it has sent the head of a request: Bun has no such hook. Those
   * that send none are closed after ten seconds.
   * @returns gives it back @throws ApiError overloaded where all places, or those of the network, are taken
   */
  enter(clientAddress: string): () => void;
}

export const createRequestRoom = (descriptors: number = maxOpenFiles()): RequestRoom => {
  const most = Math.max(1, Math.floor(descriptors * partForClients));
  const mostOfNetwork = Math.max(1, Math.floor(most * partForNetwork));
  const atWork = new Map<string, number>();
  let all = 0;

  return {
    enter(clientAddress) {
      const network = networkOf(clientAddress);
      const own = atWork.get(network) ?? 0;
      if (own >= mostOfNetwork) throw tooMany(`Too many requests from your network are at work (${mostOfNetwork}).`);
      if (all >= most) throw tooMany(`Too many requests are at work (${most}).`);
      atWork.set(network, own + 1);
      all += 1;
      return () => {
        all -= 1;
        const left = (atWork.get(network) ?? 1) - 1;
        if (left > 0) atWork.set(network, left);
        else atWork.delete(network);
      };
    },
  };
};

const tooMany = (what: string): ApiError =>
  new ApiError("overloaded", `${what} Send this again in a moment.`, {
    headers: { "retry-after": "5", connection: "close" },
  });

/** The limit of this process (`ulimit -n`), which Bun raises as far as the system allows when it starts. */
const maxOpenFiles = (): number => {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? usualDescriptors : Number(soft);
  } catch {
    return usualDescriptors;
  }
};

/** A request that held this much leaves several times as much garbage. */
const longBytes = 8 * 1024 * 1024;
/** Requests that end within this time share one collection, which delays all others by some 50 ms. */
const pauseMs = 2_000;

/**
 * Collects garbage after requests that held much memory: on its own the engine may keep that for as long as nothing
 * else allocates.
 * @returns to be called at the end of each request, with the most bytes it held
 */
export const createGarbageCollection = (collect: () => void = () => Bun.gc(true)): ((peakBytes: number) => void) => {
  let timer: ReturnType<typeof setTimeout> | null = null;
  return (peakBytes) => {
    if (peakBytes < longBytes || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      collect();
    }, pauseMs);
    timer.unref();
  };
};
