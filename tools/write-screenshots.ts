/**
 * Writes docs/screenshots/*.webp: every view of the console, the page of a public chat and the guides, light and dark, on a desk and
 * on a phone, from a server with sample documents. Needs Chromium (`CHROMIUM` where it is elsewhere).
 * `bun tools/write-screenshots.ts [VIEW …]` writes those named alone.
 */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { chromiumPath, whyNoBrowser } from "./screenshots/chromium.ts";
import { showFindings } from "./screenshots/sample-findings.ts";
import { type SampleServer, startSampleServer } from "./screenshots/sample-server.ts";
import { addSamples, type Samples } from "./screenshots/sample-store.ts";

interface View {
  name: string;
  path(samples: Samples): string;
  /** Nobody is signed in. */
  isOpen?: boolean;
  /** An empty store, as at the first visit. */
  isEmpty?: boolean;
  /** What is done before the picture is taken. */
  prepare?(page: Page): Promise<void>;
}

const question = "What is LayoutParser?";

const ask = async (page: Page): Promise<void> => {
  const box = page.locator("main textarea, main input[type=text], main input[type=search]").first();
  if ((await box.count()) === 0) return;
  await box.fill(question);
  await box.press("Enter");
  await page
    .locator(".mark")
    .first()
    .waitFor({ timeout: 20_000 })
    .catch(() => {});
};

const views: View[] = [
  { name: "sign-in", path: () => "/", isOpen: true },
  { name: "first-visit", path: () => "/", isEmpty: true },
  { name: "documents", path: () => "/documents" },
  { name: "document", path: ({ documentId }) => `/documents/${documentId}` },
  { name: "ask", path: () => "/ask", prepare: ask },
  {
    name: "ask-why",
    path: () => "/ask",
    async prepare(page) {
      await ask(page);
      await page.getByText("Why this answer").click();
      await page.locator(".why-answer section").first().waitFor();
      await page.locator(".receipt").evaluate((receipt) => receipt.scrollIntoView());
    },
  },
  { name: "chats", path: ({ chatId }) => `/chats/${chatId}` },
  { name: "partitions", path: () => "/partitions" },
  { name: "keys", path: () => "/keys" },
  { name: "settings", path: () => "/settings" },
  { name: "settings-health", path: () => "/settings", prepare: showFindings },
  { name: "settings-table", path: () => "/settings?tab=settings" },
  { name: "settings-audit", path: () => "/settings?tab=audit&order=oldest" },
  {
    name: "document-details",
    path: ({ documentId }) => `/documents/${documentId}`,
    async prepare(page) {
      await page.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Edit details" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "palette",
    path: () => "/documents",
    async prepare(page) {
      await page.keyboard.press("Control+k");
      await page.locator("dialog input").waitFor();
      await page.keyboard.type("re");
      await page.locator("dialog").getByRole("option").first().waitFor();
    },
  },
  { name: "docs-guide", path: () => "/docs/guide/public-chats", isOpen: true },
  { name: "docs-reference", path: () => "/docs/reference/ingestDocument", isOpen: true },
  {
    name: "public-chat",
    path: ({ chatId }) => `/chat/${chatId}`,
    isOpen: true,
    async prepare(page) {
      await page.fill("#message", question);
      await page.keyboard.press("Enter");
      await page.locator(".answer .actions").last().waitFor();
    },
  },
];

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const schemes = ["light", "dark"] as const;
/** Of WebP: above it files grow and nothing is seen. */
const quality = 80;
/** For what comes after the first picture of a view: lists, pages of a PDF. */
const settleMs = 1_500;

const folder = fileURLToPath(new URL("../docs/screenshots/", import.meta.url));

const take = async (browser: Browser, server: SampleServer, samples: Samples, view: View): Promise<void> => {
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of schemes) {
      // Fingers: fields and buttons are larger then.
      const hasTouch = size === "phone";
      const context = await browser.newContext({
        viewport,
        colorScheme,
        hasTouch,
        isMobile: hasTouch,
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      if (view.isOpen !== true) {
        await page.goto(`${server.url}/#key=${server.key}`);
        await page.locator(".rail").waitFor();
      }
      await page.goto(server.url + view.path(samples));
      await page.locator("h1").first().waitFor();
      await page.waitForTimeout(settleMs);
      // On a busy machine a PDF takes longer.
      await page.locator(".loading").waitFor({ state: "detached" });
      await view.prepare?.(page);
      await page.waitForTimeout(settleMs / 3);
      // Playwright itself writes no WebP.
      const session = await context.newCDPSession(page);
      const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
      const file = `${view.name}-${size}-${colorScheme}.webp`;
      const bytes = await Bun.write(`${folder}${file}`, Buffer.from(data, "base64"));
      console.log(`${file}  ${(bytes / 1_000).toFixed(0)} kB`);
      await context.close();
    }
};

if (chromiumPath === null) throw new Error(whyNoBrowser);
const named = process.argv.slice(2);
const unknown = named.filter((name) => !views.some((view) => view.name === name));
if (unknown.length > 0)
  throw new Error(`no such view: ${unknown.join(", ")}; there are ${views.map(({ name }) => name).join(", ")}`);
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
const empty = await startSampleServer();
const full = await startSampleServer();
try {
  const samples = await addSamples(full);
  for (const view of views)
    if (named.length === 0 || named.includes(view.name))
      await take(browser, view.isEmpty === true ? empty : full, samples, view);
} finally {
  await browser.close();
  await empty.stop();
  await full.stop();
}
