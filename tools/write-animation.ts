/**
 * Writes docs/screenshots/first-minute.webp, the short animation of the README: a PDF is dropped in, a question is asked, a
 * mark of the answer leads to the page. Needs Chromium (`CHROMIUM` where it is elsewhere). `bun tools/write-animation.ts`;
 * with a folder named, every shot is written there too, to look at.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import { chromiumPath, whyNoBrowser } from "./screenshots/chromium.ts";
import { createFilm } from "./screenshots/film.ts";
import { encodeFrames } from "./screenshots/frame-encoder.ts";
import { startSampleServer } from "./screenshots/sample-server.ts";
import { animatedWebp } from "./screenshots/webp-file.ts";

const size = { width: 1120, height: 700 };
const quality = 0.88;
/** More than that is slow to load beside a README's text. */
const maxBytes = 600_000;
const waitMs = 60_000;
/** How long pictures stand that are to be read. */
const glanceMs = 700;
const readMs = 2_200;
const lastMs = 4_000;

const fixture = new URL("../test/fixtures/documents/layout-parser-paper-fast.pdf", import.meta.url);
const fileName = "layout-parser.pdf";

/** Tells the page of a file that is held over it, or let go. */
const drag = async (page: Page, types: readonly string[]): Promise<void> => {
  const base64 = (await readFile(fixture)).toString("base64");
  await page.evaluate(`{
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(atob("${base64}"), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], ${JSON.stringify(fileName)}, { type: "application/pdf" }));
    for (const type of ${JSON.stringify(types)})
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }`);
};

if (chromiumPath === null) throw new Error(whyNoBrowser);
const shotsFolder = process.argv[2];
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
const server = await startSampleServer();
try {
  const context = await browser.newContext({ viewport: size, colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(waitMs);
  await page.goto(`${server.url}/#key=${server.key}`);
  await page.locator(".first-steps").waitFor();
  const film = createFilm(page);
  await film.hold(glanceMs);

  film.carry(fileName);
  await drag(page, ["dragenter", "dragover"]);
  await film.moveTo({ x: size.width / 2, y: size.height / 2 });
  await film.hold(glanceMs);
  film.carry(null);
  await drag(page, ["drop"]);
  await film.hold(glanceMs / 2);
  await page.getByText("1 document is ready.").first().waitFor();
  await page.locator("tbody tr").first().waitFor();
  await film.hold(readMs / 2);

  await film.click(page.getByRole("link", { name: "Ask", exact: true }));
  await page.locator(".question-field").waitFor();
  await film.type("What is LayoutParser?");
  await page.keyboard.press("Enter");
  await page.locator(".receipt").waitFor();
  await film.hold(readMs);
  await film.click(page.locator(".answer .mark").first());
  await page.locator(".text-layer mark.passage").first().waitFor();
  await film.hold(glanceMs);
  await film.moveTo(page.locator(".text-layer mark.passage").first());
  await film.hold(lastMs);

  if (shotsFolder !== undefined)
    for (const [at, { png }] of film.shots.entries()) await Bun.write(join(shotsFolder, `${at}.png`), png);
  const frames = await encodeFrames(browser, { ...size, quality }, film.shots);
  const bytes = animatedWebp(size.width, size.height, frames);
  if (bytes.length > maxBytes) throw new Error(`the animation has ${bytes.length} bytes, more than ${maxBytes}`);
  const path = fileURLToPath(new URL("../docs/screenshots/first-minute.webp", import.meta.url));
  await Bun.write(path, bytes);
  const lengthMs = frames.reduce((sum, { durationMs }) => sum + durationMs, 0);
  console.log(`${path}: ${frames.length} frames, ${lengthMs / 1_000} s, ${Math.round(bytes.length / 1_000)} kB`);
} finally {
  await browser.close();
  await server.stop();
}
