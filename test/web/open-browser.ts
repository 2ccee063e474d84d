import { expect } from "bun:test";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { chromiumPath } from "../../tools/screenshots/chromium.ts";
import { maxWaitMs } from "../until.ts";

/** What the page did that it must not do. */
export interface Faults {
  /** Messages of Content-Security-Policy, errors of scripts. */
  errors: string[];
  /** Hosts that it sent a request to, besides those of the test. */
  hosts: Set<string>;
}

/** Chromium tells of an answer that failed, or did not come, as of an error of the page. */
const answerFailed = /^Failed to load resource/;

/** No violation of Content-Security-Policy, no error of a script, no request to any host but those named. */
export const expectClean = (faults: Faults, ...addresses: readonly string[]): void => {
  expect(faults.errors.filter((text) => !answerFailed.test(text))).toEqual([]);
  expect([...faults.hosts].sort()).toEqual(addresses.map((address) => new URL(address).host).sort());
};

/**
 * What Chromium would do for its own window: pages of its address bar cost each visitor as much CPU time as those of Carrel.
 * The rest is what Playwright turns off: of two such options Chromium takes the last.
 */
const disabledFeatures = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"],
  ...[
    "AimEnabled",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PreconnectToSearch",
  ],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose"],
  ...["HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "PaintHolding", "ThirdPartyStoragePartitioning"],
];

const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", `--disable-features=${disabledFeatures.join(",")}`],
  });

let opened: Promise<Browser> | null = null;

/** One for all files of a run: it ends with the process. */
export const openBrowser = (): Promise<Browser> => {
  opened ??= launch();
  return opened;
};

/** What the tests of a file leave open. */
export const closeVisitors = async (browser: Browser): Promise<void> => {
  await Promise.all(browser.contexts().map((context) => context.close()));
};

/** A visitor: a browser profile of its own, watched for what no page of Carrel may do. */
export const openVisitor = async (
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; faults: Faults }> => {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(maxWaitMs);
  const faults: Faults = { errors: [], hosts: new Set() };
  context.on("console", (message) => {
    if (message.type() === "error") faults.errors.push(message.text());
  });
  context.on("weberror", (error) => faults.errors.push(String(error.error())));
  context.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith("http")) faults.hosts.add(host);
  });
  return { context, faults };
};
