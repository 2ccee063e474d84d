/**
 * Malicious files, sent to a running server while another organization asks and ingests:
 *
 *     bun bench/ingest/hostile.ts [BINARY|-] [seconds a file may take, and its pictures besides; 20 unless given]
 *         [largest texts: "64 KB", "1 MB" unless given, "10 MB"]
 *
 * The model of the vectors is the default, or what CARREL_MODELS_EMBEDDING_MODEL names.
 *
 * Each is sent twice, waited for and in the background, and must end as one failed document: all of them where no
 * tesseract is found, and scans where it is. Prints each one's outcome, the memory of the server and of its parsing
 * processes, and what the other tenant waited for with and without it. Then some hundred texts made of one piece again
 * and again are sent as files of every kind, as texts and as questions. Fails where the other tenant ever waited for
 * longer than 250 ms for an answer, a document or the server's health.
 */
import { dirname } from "node:path";
import { quantile } from "../serving/figures.ts";
import { startKillable } from "../serving/killable-server.ts";
import { commandOf, temporaryFolder } from "../serving/program.ts";
import { type HostileFile, hostileFiles } from "./hostile-files.ts";
import { hostileScans } from "./hostile-scans.ts";
import { sendTexts } from "./hostile-texts.ts";
import { type OtherTenant, startOtherTenant, type Waits } from "./other-tenant.ts";
import { watchMemory } from "./resident-memory.ts";

const [binary = "-", seconds = "20", largestTexts = "1 MB"] = process.argv.slice(2);
/** The longest that the other tenant may wait for anything. */
const maxWaitMs = 250;
const command = commandOf(binary);
const adminKey = `crl_${"h".repeat(43)}`;
const authorization = `Bearer ${adminKey}`;
const timeLimitMs = String(Number(seconds) * 1_000);
/** The other tenant's time alone, before and after. */
const quietMs = 8_000;
const shortestWindowMs = 4_000;

const otherKey = async (dataFolder: string, settings: Record<string, string>): Promise<string> => {
  const child = Bun.spawn(
    [...command, "key", "create", "--name", "n", "--role", "writer", "--organization", "other", "--json"],
    {
      cwd: dataFolder,
      env: { HOME: dataFolder, CARREL_DATA_DIR: `${dataFolder}/data`, ...settings },
      stdout: "pipe",
      stderr: "inherit",
    },
  );
  return ((await new Response(child.stdout).json()) as { key: string }).key;
};

interface Outcome {
  now: string;
  later: string;
  isOneFailure: boolean;
}

/** Sends the file both ways at once. */
const send = async (url: string, { name, make }: HostileFile): Promise<Outcome> => {
  const bytes = make();
  const upload = (isAsync: boolean): Promise<Response> => {
    const form = new FormData();
    if (isAsync) form.append("async", "true");
    form.append("file", new File([new Uint8Array(bytes)], name));
    return fetch(`${url}/api/ingest`, { method: "POST", headers: { authorization }, body: form });
  };
  const began = performance.now();
  const elapsed = () => `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  const now = async (): Promise<[status: number, said: string]> => {
    const answer = await upload(false);
    const { code } = (await answer.json()) as { code?: string };
    return [answer.status, `${answer.status} ${code ?? "taken"}, ${elapsed()}`];
  };
  const later = async (): Promise<[status: string, said: string]> => {
    const answer = await upload(true);
    let document = (await answer.json()) as { id: string; status: string; error: string | null };
    while (document.status === "pending" || document.status === "processing") {
      await Bun.sleep(100);
      const read = await fetch(`${url}/api/document/${document.id}`, { headers: { authorization } });
      document = (await read.json()) as typeof document;
    }
    return [document.status, `${document.status}, ${elapsed()}: ${document.error}`];
  };
  const [[status, nowSaid], [state, laterSaid]] = await Promise.all([now(), later()]);
  return { now: nowSaid, later: laterSaid, isOneFailure: status >= 400 && status !== 500 && state === "failed" };
};

const mb = (value: number): string => value.toFixed(0);
const row = (...cells: string[]) => console.log(`| ${cells.join(" | ")} |`);
const longestOf = ({ ask, ingest, health }: Waits): number => Math.max(0, ...ask, ...ingest, ...health);
const waitCells = ({ ask, ingest, health }: Waits): string[] =>
  [ask, ingest, health].map(
    (list) =>
      `${quantile(list, 0.5).toFixed(0)} · ${quantile(list, 0.95).toFixed(0)} · ${Math.max(0, ...list).toFixed(0)}`,
  );

let longestWait = { what: "nothing", ms: 0 };
const noteWait = (what: string, ms: number): void => {
  if (ms > longestWait.ms) longestWait = { what, ms };
};

const sendAllTexts = async (url: string, other: OtherTenant): Promise<string[]> => {
  const { sent, worst, faults } = await sendTexts(url, authorization, other, largestTexts);
  console.log(`\n${sent} texts and questions up to ${largestTexts}; the other tenant waited longest during\n`);
  for (const { what, longestMs } of worst) console.log(`  ${longestMs.toFixed(0)} ms: ${what}`);
  for (const { what, longestMs } of worst) noteWait(what, longestMs);
  return faults;
};

/** Sends the files to a server of its own, one after the other. `path`: where it finds programs. @returns what is wrong */
const sendAll = async (files: readonly HostileFile[], path: string, withTexts: boolean): Promise<string[]> => {
  const settings = {
    PATH: path,
    CARREL_ADMIN_KEY: adminKey,
    CARREL_PARSER_TIMEOUT_MS: timeLimitMs,
    CARREL_PARSER_OCR_TIMEOUT_MS: timeLimitMs,
    CARREL_MODELS_EMBEDDING_MODEL: process.env.CARREL_MODELS_EMBEDDING_MODEL ?? "auto",
  };
  const faults: string[] = [];
  const folder = temporaryFolder();
  const server = startKillable(command, folder.path, settings);
  const url = await server.url;
  if (url === null) throw new Error("the server did not start");
  const memory = watchMemory(server.pid);
  const other = startOtherTenant(url, await otherKey(folder.path, settings));

  const alone = async () => {
    memory.takePeaks();
    other.takeWaits();
    await Bun.sleep(quietMs);
    const memoryCell = `${mb(memory.now())} · ${mb(memory.takePeaks().server)} · ${mb(memory.now())}`;
    row("none", "", "", memoryCell, "0", ...waitCells(other.takeWaits()));
  };
  try {
    await Bun.sleep(2_000);
    await alone();
    for (const file of files) {
      const before = memory.now();
      memory.takePeaks();
      other.takeWaits();
      const [outcome] = await Promise.all([send(url, file), Bun.sleep(shortestWindowMs)]);
      const during = other.takeWaits();
      const peaks = memory.takePeaks();
      await Bun.sleep(1_000);
      row(
        file.what,
        outcome.now,
        outcome.later,
        `${mb(before)} · ${mb(peaks.server)} · ${mb(memory.now())}`,
        mb(peaks.children),
        ...waitCells(during),
      );
      if (!outcome.isOneFailure && file.mayBeRead !== true) faults.push(`${file.what}: no failed document`);
      noteWait(file.what, longestOf(during));
    }
    await alone();
    const answer = await fetch(`${url}/api/document?limit=100`, { headers: { authorization } });
    const listed = (await answer.json()) as { status: string }[];
    const failed = listed.filter(({ status }) => status === "failed").length;
    const toFail = files.filter(({ mayBeRead }) => mayBeRead !== true).length;
    if (failed < toFail) faults.push(`${failed} failed documents instead of ${toFail}`);
    if (withTexts) faults.push(...(await sendAllTexts(url, other)));
  } finally {
    await other.stop().catch((error: unknown) => faults.push(String(error)));
    memory.stop();
    await server.stop();
    folder.remove();
  }
  return faults;
};

const head = () => {
  row(
    "file",
    "waited for",
    "in the background",
    "server MB before · peak · after",
    "parsers MB peak",
    "other tenant asks, ms p50 · p95 · longest",
    "ingests, ms p50 · p95 · longest",
    "health, ms p50 · p95 · longest",
  );
  row(...Array<string>(8).fill("---"));
};

console.log("Where no tesseract is found:\n");
head();
const faults = await sendAll([...hostileFiles, ...hostileScans.filter(({ needsOcr }) => needsOcr !== true)], "", true);
const tesseract = Bun.which("tesseract");
if (tesseract === null) console.log("\ntesseract is not installed here: scans were not sent to it.");
else {
  console.log("\nWith tesseract:\n");
  head();
  faults.push(...(await sendAll(hostileScans, dirname(tesseract), false)));
}
console.log(`\nThe other tenant's longest wait: ${longestWait.ms.toFixed(0)} ms (${longestWait.what})`);
if (longestWait.ms > maxWaitMs) faults.push(`the other tenant waited for longer than ${maxWaitMs} ms`);
for (const fault of faults) console.log(`  ${fault}`);
console.log(faults.length === 0 ? "PASSED" : "FAILED");
process.exitCode = faults.length === 0 ? 0 : 1;
