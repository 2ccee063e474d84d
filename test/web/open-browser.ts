import { expect } from "bun:test";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { chromiumPath } from "../../tools/screenshots/chromium.ts";
import { maxWaitMs } from "../until.ts";

/** What the page did that it must not do. */
interface Faults {
  /** Messages of Content-Security-Policy, errors of scripts. */
  errors: string[];
  /** Hosts that it sent a request to, besides those of the test. */
  hosts: Set<string>;
}

/** Chromium tells of an answer that failed, or did not come, as of an error of the page. */
const answerFailed = /^Failed to load resource/;

/** No violation of Content-Security-Policy, no error of a script, no request to any host but those named. */
const expectClean = (faults: Faults, addresses: readonly string[]): void => {
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

interface Visit {
  context: BrowserContext;
  faults: Faults;
  /** Those of the servers that it may send requests to, and does. */
  addresses: readonly string[];
}

let visits: Visit[] = [];

/** Ends the visits of a test: what their pages must not do fails it, whatever it looks at. */
export const endVisits = async (): Promise<void> => {
  const ended = visits;
  visits = [];
  await Promise.all(ended.map(({ context }) => context.close()));
  for (const { faults, addresses } of ended) expectClean(faults, addresses);
};

/** A browser profile of its own, watched for what no page of Carrel may do. */
export const openWatchedProfile = async (
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

/** A visitor until the end of the test, with a profile of its own. @param addresses see `Visit` */
export const openVisitor = async (
  browser: Browser,
  addresses: readonly string[],
  options: BrowserContextOptions = {},
): Promise<BrowserContext> => {
  const { context, faults } = await openWatchedProfile(browser, options);
  visits.push({ context, faults, addresses });
  return context;
};
