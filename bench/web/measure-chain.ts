import type { Browser } from "playwright-core";
import { type LoadedPage, measureLoad } from "./measure-load.ts";

/** What a first load asks for, one after another: it depends on the pages, not on the machine. */
export interface Chain {
  /** Round trips until the page does what its visitor asks for. */
  interactive: number;
  /** Round trips until it shows what it holds. */
  shown: number;
  requests: number;
  /** Over the line until then, with headers. */
  bytes: number;
}

/** So long that what the machine needs in between is a small part of it. */
const roundTripMs = 4_000;
const slowLine = {
  name: "round trips",
  downBitsPerS: 1e9,
  upBitsPerS: 1e9,
  roundTripMs,
  slowdown: 1,
};

/** @param shown holds once the page shows what it holds */
export const measureChain = async (browser: Browser, page: LoadedPage, shown: string): Promise<Chain> => {
  const trips = (ms: number): number => Math.floor(ms / roundTripMs);
  const load = await measureLoad(browser, slowLine, page);
  const whole = await measureLoad(browser, slowLine, { ...page, probe: shown });
  return {
    interactive: trips(load.interactiveMs),
    shown: trips(whole.interactiveMs),
    requests: whole.requests,
    bytes: whole.scriptBytes + whole.styleBytes + whole.otherBytes,
  };
};
