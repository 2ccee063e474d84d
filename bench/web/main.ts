/**
 * How quick the pages are, in Chromium, served by the compiled program: `bun bench/web/main.ts dist/carrel [ROUNDS]`. Prints
 * medians as a table in Markdown, beside an empty page with one script of the same size over the same line. `loads` as a third
 * argument ends it after the first loads. The goals: the console interactive within a second, at most 90 KB of scripts and 20 KB of
 * widget, nothing moves while an answer is written.
 */
import { chromium } from "playwright-core";
import { chromiumPath, whyNoBrowser } from "../../tools/screenshots/chromium.ts";
import { quantile } from "../serving/figures.ts";
import { startKillable } from "../serving/killable-server.ts";
import { commandOf, type Program, sendBatch, temporaryFolder, untilProcessed } from "../serving/program.ts";
import { startFloor } from "./floor.ts";
import { measureChain } from "./measure-chain.ts";
import { type Load, type LoadedPage, measureLoad } from "./measure-load.ts";
import { shiftWhileAnswering, signedIn, useList } from "./measure-use.ts";
import { profiles } from "./profiles.ts";
import { startSlowModel } from "./slow-model.ts";

if (chromiumPath === null) throw new Error(whyNoBrowser);
const [binary, roundsGiven = "5", part = "all"] = process.argv.slice(2);
const rounds = Number(roundsGiven);
const documents = 10_000;
const key = `crl_${"b".repeat(43)}`;
const readingKb = 1_000;

const row = (...cells: (string | number)[]): void => console.log(`| ${cells.join(" | ")} |`);
const kb = (bytes: number): string => `${(bytes / readingKb).toFixed(1)} KB`;
const ms = (value: number): string => `${Math.round(value)} ms`;
const line = (cells: number): string[] => Array.from({ length: cells }, () => "---");

const shows = (selector: string): string => `document.querySelector("${selector}") !== null`;
const hasFocus = (selector: string): string => `document.activeElement.matches("${selector}")`;

const folder = temporaryFolder();
const model = startSlowModel();
const server = startKillable(commandOf(binary), folder.path, {
  CARREL_ADMIN_KEY: key,
  CARREL_MODELS_EMBEDDING_MODEL: "static",
  ...model.settings,
});
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const url = await server.url;
  if (url === null) throw new Error("the server did not start");
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const post = async (path: string, body: object): Promise<{ id: string }> =>
    (await (await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })).json()) as { id: string };
  await post("/api/ingest", { name: "Handbook", text: "In winter the reading room opens at nine." });
  const chat = await post("/api/chat", { title: "Library", public: true });

  const opened: (LoadedPage & { name: string; shown: string })[] = [
    {
      name: "console, nobody signed in",
      address: url,
      probe: hasFocus("input[name=key]"),
      shown: shows("input[name=key]"),
    },
    {
      name: "console, signed in",
      shown: shows("tbody tr"),
      address: `${url}/documents`,
      // The key that lists the shortcuts.
      probe: `(document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true })), document.querySelector("dialog[open]") !== null)`,
      async prepare(context) {
        await context.request.post(`${url}/api/session`, { data: { key } });
      },
    },
    { name: "public chat", address: `${url}/chat/${chat.id}`, probe: shows("#message"), shown: shows("#message") },
  ];
  row("page", "round trips until interactive", "until it shows what it holds", "requests", "bytes");
  row(...line(5));
  for (const page of opened) {
    const { interactive, shown, requests, bytes } = await measureChain(browser, page, page.shown);
    row(page.name, interactive, shown, requests, kb(bytes));
  }

  console.log();
  row(
    "page",
    "profile",
    "first paint",
    "largest paint",
    "interactive: median (least)",
    "floor",
    "ratio",
    "script",
    "style",
    "shift",
  );
  row(...line(10));
  for (const page of opened)
    for (const profile of profiles) {
      const loads: Load[] = [];
      const floors: Load[] = [];
      for (let round = 0; round < rounds; round++) {
        const load = await measureLoad(browser, profile, page);
        loads.push(load);
        // Beside each load and not after them: the machine has other work too.
        const floor = startFloor(load.scriptBytes);
        floors.push(await measureLoad(browser, profile, { address: floor.url, probe: floor.probe }));
        await floor.stop();
      }
      const median = (of: (load: Load) => number): number => quantile(loads.map(of), 0.5);
      const interactiveMs = median((load) => load.interactiveMs);
      const floorMs = quantile(
        floors.map((floor) => floor.interactiveMs),
        0.5,
      );
      const least = Math.min(...loads.map(({ interactiveMs }) => interactiveMs));
      row(
        page.name,
        profile.name,
        ms(median(({ firstPaintMs }) => firstPaintMs)),
        ms(median(({ largestPaintMs }) => largestPaintMs)),
        `${ms(interactiveMs)} (${ms(least)})`,
        ms(floorMs),
        (interactiveMs / floorMs).toFixed(2),
        kb(median(({ scriptBytes }) => scriptBytes)),
        kb(median(({ styleBytes }) => styleBytes)),
        median(({ shift }) => shift).toFixed(3),
      );
    }

  if (part !== "loads") {
    console.log();
    row("what", "figure");
    row(...line(2));
    const widget = await fetch(`${url}/embed.js`, { headers: { "accept-encoding": "gzip" }, decompress: false });
    row("widget before it is opened", kb((await widget.arrayBuffer()).byteLength));
    const context = await signedIn(browser, url, key);
    const ask = { field: ".question-field", done: ".receipt" };
    const talk = { field: "#message", done: ".answer .actions" };
    row("shift while Ask is answered", await shiftWhileAnswering(context, `${url}/ask`, ask));
    row("shift while the public chat is answered", await shiftWhileAnswering(context, `${url}/chat/${chat.id}`, talk));

    const program: Program = {
      url,
      pid: server.pid,
      readyMs: 0,
      headers,
      residentMb: async () => 0,
      stop: async () => undefined,
    };
    const texts = Array.from({ length: documents }, (_, at) => ({
      name: `Report ${at}`,
      text: `The river in report ${at}.`,
    }));
    await sendBatch(program, texts);
    await untilProcessed(program, documents);
    const { shownMs, nextMs, longTasksMs } = await useList(context, url);
    row(`list of ${documents.toLocaleString("en")} documents: first rows`, ms(shownMs));
    row("its next page: median, most", `${ms(quantile(nextMs, 0.5))}, ${ms(Math.max(...nextMs))}`);
    row(
      "tasks over 50 ms while it is scrolled and paged",
      longTasksMs.length === 0 ? 0 : `${longTasksMs.length}, longest ${ms(Math.max(...longTasksMs))}`,
    );
  }
} finally {
  await browser.close();
  await server.kill();
  await model.stop();
  folder.remove();
}
