import type { Browser, BrowserContext, Page } from "playwright-core";
import { applyProfile, type Profile } from "./profiles.ts";

/** One first load of a page, by the browser's own clock; milliseconds since the address was opened. */
export interface Load {
  firstPaintMs: number;
  largestPaintMs: number;
  /** When the page first did what its visitor asks for. */
  interactiveMs: number;
  /** Compressed, with headers, as they came over the line. */
  scriptBytes: number;
  styleBytes: number;
  otherBytes: number;
  /** Answers that came whole. */
  requests: number;
  /** How much moved, as Cumulative Layout Shift counts it. */
  shift: number;
}

export interface LoadedPage {
  address: string;
  /** Runs in the page every 20 ms: does what a person does, and says whether the page answered to it. */
  probe: string;
  prepare?(context: BrowserContext): Promise<void>;
}

const lookEveryMs = 20;
const maxWaitMs = 60_000;
const settleMs = 500;

/**
 * In the page, before its own scripts: notes paints and shifts, and when the probe first holds. Its events are made by a
 * script, since the browser ends its record of paints with the first key of a person.
 */
const observer = (probe: string): string => `
  globalThis.seen = { paints: {}, largest: 0, shift: 0, interactive: 0 };
  const each = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  each("paint", ({ name, startTime }) => { seen.paints[name] = startTime; });
  each("largest-contentful-paint", ({ startTime }) => { seen.largest = startTime; });
  each("layout-shift", ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.shift += value; });
  const timer = setInterval(() => {
    if (document.body === null || !(${probe})) return;
    seen.interactive = performance.now();
    clearInterval(timer);
  }, ${lookEveryMs});
`;

interface Seen {
  paints: Record<string, number>;
  largest: number;
  shift: number;
  interactive: number;
}

/** Loads a page in a new browser profile: nothing is cached. */
export const measureLoad = async (browser: Browser, profile: Profile, loaded: LoadedPage): Promise<Load> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    await loaded.prepare?.(context);
    const page = await context.newPage();
    const bytes = await countBytes(page);
    await context.addInitScript(observer(loaded.probe));
    await applyProfile(await context.newCDPSession(page), profile);
    await page.goto(loaded.address);
    const end = Date.now() + maxWaitMs;
    while ((await read(page)).interactive === 0) {
      if (Date.now() > end) throw new Error(`${loaded.address} does not answer`);
      await Bun.sleep(lookEveryMs);
    }
    // What is fetched afterwards, for the next view, is not part of the load.
    const came = { ...bytes };
    await Bun.sleep(settleMs);
    const { paints, largest, shift, interactive } = await read(page);
    return {
      firstPaintMs: paints["first-contentful-paint"] ?? Number.NaN,
      largestPaintMs: largest,
      interactiveMs: interactive,
      shift,
      ...came,
    };
  } finally {
    await context.close();
  }
};

const read = async (page: Page): Promise<Seen> => (await page.evaluate("globalThis.seen")) as Seen;

/** By what the page asked for, also where it said so beforehand: a `modulepreload` is a script. */
const countBytes = async (page: Page) => {
  const bytes = { scriptBytes: 0, styleBytes: 0, otherBytes: 0, requests: 0 };
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const types = new Map<string, string>();
  session.on("Network.responseReceived", ({ requestId, type }) => void types.set(requestId, type));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId);
    const sum = type === "Script" ? "scriptBytes" : type === "Stylesheet" ? "styleBytes" : "otherBytes";
    bytes[sum] += encodedDataLength;
    bytes.requests += 1;
  });
  return bytes;
};
