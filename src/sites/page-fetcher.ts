import { LRUCache } from "lru-cache";
import { unlessAborted } from "../async/waiting.ts";
import { ApiError } from "../domain/errors.ts";
import type { FetchedFile, FetchRequest, FetchUrl } from "../ingest/fetch/contract.ts";
import { createRobots, type Robots } from "./robots.ts";

/** Runs work on one host after another, with a pause between; on different hosts at once. */
type HostTurns = <T>(host: string, pauseMs: number, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

const createHostTurns = (): HostTurns => {
  const tails = new Map<string, Promise<void>>();

  return (host, pauseMs, signal, work) => {
    const before = tails.get(host) ?? Promise.resolve();
    let hasStarted = false;
    const mine = before.then(() => {
      signal.throwIfAborted();
      hasStarted = true;
      return work();
    });
    // Work that was canceled before its turn leaves no pause behind.
    const tail: Promise<void> = mine
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => (hasStarted ? Bun.sleep(pauseMs) : undefined))
      .then(() => {
        if (tails.get(host) === tail) tails.delete(host);
      });
    tails.set(host, tail);
    return unlessAborted(mine, signal); // canceled work does not wait for its turn
  };
};

/** Fetches the pages of sites: as robots.txt allows, one at a time from a host, with a pause between. */
export interface PageFetcher {
  /**
   * As `FetchUrl`. A page that was handed over is taken from there.
   * @throws ApiError fetch_failed also for a page that robots.txt forbids, at whatever hop
   */
  fetchPage: FetchUrl;
  /** A sitemap, which robots.txt does not forbid: one at a time too. */
  fetchSitemap: FetchUrl;
  rulesFor: Robots["rulesFor"];
  forgetRules: Robots["forget"];
  /** Keeps a page that was just fetched for the job that ingests it, so that it is not fetched twice. */
  handOver(address: string, page: FetchedFile): void;
}

/** Pages kept for their jobs; of more, the oldest are fetched again. */
const maxHandedOver = 200;
const maxHandedOverBytes = 32 * 1024 * 1024;

/** @param pauseMs between two fetches from a host, where its robots.txt asks for no longer one */
export const createPageFetcher = ({ fetchUrl, pauseMs }: { fetchUrl: FetchUrl; pauseMs: number }): PageFetcher => {
  const inTurn = createHostTurns();
  const { rulesFor, forget } = createRobots(fetchUrl);
  const handedOver = new LRUCache<string, FetchedFile>({
    max: maxHandedOver,
    maxSize: maxHandedOverBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  });

  const refuseForbidden =
    (request: FetchRequest) =>
    async (hop: URL): Promise<void> => {
      await request.checkHop?.(hop);
      const rules = await rulesFor(hop.href, request.signal, request.headersFor);
      const [isAllowed] = await rules.allowed([hop.href], request.signal);
      if (isAllowed === true) return;
      throw new ApiError(
        "fetch_failed",
        `${hop.origin}${hop.pathname} may not be fetched: the robots.txt of that host forbids it.`,
      );
    };

  return {
    rulesFor,
    forgetRules: forget,
    async fetchPage(address, request) {
      const kept = handedOver.get(address);
      handedOver.delete(address);
      if (kept !== undefined) return kept;
      const checkHop = refuseForbidden(request);
      if (!URL.canParse(address)) return await fetchUrl(address, request);
      const { host } = new URL(address);
      const { crawlDelayMs } = await rulesFor(address, request.signal, request.headersFor);
      const betweenMs = Math.max(pauseMs, crawlDelayMs);
      return await inTurn(host, betweenMs, request.signal, () => fetchUrl(address, { ...request, checkHop }));
    },
    fetchSitemap: (address, request) =>
      inTurn(new URL(address).host, pauseMs, request.signal, () => fetchUrl(address, request)),
    handOver: (address, page) => void handedOver.set(address, page),
  };
};
