/**
 * Files made to do harm, sent to a running server while another organization asks and ingests:
 *
 *     bun bench/ingest/hostile.ts [BINARY|-] [seconds a file may take, 20 unless given]
 *
 * Each is sent twice, waited for and in the background, and must end as one failed document. Prints its outcome, the
 * memory of the server and of its parsing processes, and what the other tenant waited for with and without it.
 */
import { quantile } from "../serving/figures.ts";
import { commandOf, temporaryFolder } from "../serving/program.ts";
import { type HostileFile, hostileFiles } from "./hostile-files.ts";
import { startKillable } from "./killable-server.ts";
import { watchMemory } from "./resident-memory.ts";

const [binary = "-", seconds = "20"] = process.argv.slice(2);
const command = commandOf(binary);
const adminKey = `crl_${"h".repeat(43)}`;
const settings = { CARREL_ADMIN_KEY: adminKey, CARREL_PARSER_TIMEOUT_MS: String(Number(seconds) * 1_000) };
/** The other tenant's time alone, before and after. */
const quietMs = 8_000;
const shortestWindowMs = 4_000;
const pauseMs = 40;

const folder = temporaryFolder();
const server = startKillable(command, folder.path, settings);
const url = await server.url;
if (url === null) throw new Error("the server did not start");
const memory = watchMemory(server.pid);

const post = (key: string, path: string, body: string | FormData): Promise<Response> =>
  fetch(url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
    },
    body,
  });

const otherKey = async (): Promise<string> => {
  const child = Bun.spawn(
    [...command, "key", "create", "--name", "n", "--role", "writer", "--organization", "other", "--json"],
    {
      cwd: folder.path,
      env: { PATH: process.env.PATH ?? "", HOME: folder.path, CARREL_DATA_DIR: `${folder.path}/data`, ...settings },
      stdout: "pipe",
      stderr: "inherit",
    },
  );
  return ((await new Response(child.stdout).json()) as { key: string }).key;
};

interface Waits {
  ask: number[];
  ingest: number[];
}

const key = await otherKey();
let waits: Waits = { ask: [], ingest: [] };
let isOver = false;
let sent = 0;
const timed = async (list: keyof Waits, work: () => Promise<Response>): Promise<void> => {
  const into = waits[list];
  const began = performance.now();
  const response = await work();
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`the other tenant got ${response.status}`);
  into.push(performance.now() - began);
};
const tenant = async (): Promise<void> => {
  while (!isOver) {
    const number = sent++;
    const text = `Note ${number}. Pump ${number % 97} was inspected in the northern hall, and valve ${number % 89} was closed.`;
    await timed("ingest", () => post(key, "/api/ingest", JSON.stringify({ name: `Note ${number}`, text })));
    await Bun.sleep(pauseMs);
    await timed("ask", () =>
      post(key, "/api/query", JSON.stringify({ query: `Where was pump ${number % 97} inspected?` })),
    );
    await Bun.sleep(pauseMs);
  }
};
const takeWaits = (): Waits => {
  const taken = waits;
  waits = { ask: [], ingest: [] };
  return taken;
};

const waitCells = ({ ask, ingest }: Waits): string[] =>
  [ask, ingest].map((list) => `${quantile(list, 0.5).toFixed(0)} · ${quantile(list, 0.95).toFixed(0)}`);

interface Outcome {
  now: string;
  later: string;
  isOneFailure: boolean;
}

const formOf = ({ name }: HostileFile, bytes: Uint8Array, isAsync: boolean): FormData => {
  const form = new FormData();
  if (isAsync) form.append("async", "true");
  form.append("file", new File([new Uint8Array(bytes)], name));
  return form;
};

/** Sends the file both ways at once. */
const send = async (file: HostileFile): Promise<Outcome> => {
  const bytes = file.make();
  const began = performance.now();
  const elapsed = () => `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  const now = async (): Promise<[status: number, said: string]> => {
    const answer = await post(adminKey, "/api/ingest", formOf(file, bytes, false));
    const { code } = (await answer.json()) as { code?: string };
    return [answer.status, `${answer.status} ${code ?? "taken"}, ${elapsed()}`];
  };
  const later = async (): Promise<[status: string, said: string]> => {
    const answer = await post(adminKey, "/api/ingest", formOf(file, bytes, true));
    let document = (await answer.json()) as { id: string; status: string; error: string | null };
    while (document.status === "pending" || document.status === "processing") {
      await Bun.sleep(100);
      const read = await fetch(`${url}/api/document/${document.id}`, {
        headers: { authorization: `Bearer ${adminKey}` },
      });
      document = (await read.json()) as typeof document;
    }
    return [document.status, `${document.status}, ${elapsed()}: ${document.error}`];
  };
  const [[status, nowSaid], [state, laterSaid]] = await Promise.all([now(), later()]);
  return { now: nowSaid, later: laterSaid, isOneFailure: status >= 400 && status !== 500 && state === "failed" };
};

const mb = (value: number): string => value.toFixed(0);
const row = (...cells: string[]) => console.log(`| ${cells.join(" | ")} |`);
const faults: string[] = [];
const other = tenant();
try {
  await Bun.sleep(2_000);
  takeWaits();
  memory.takePeaks();
  await Bun.sleep(quietMs);
  const alone = takeWaits();
  row(
    "file",
    "waited for",
    "in the background",
    "server MB before · peak · after",
    "parsers MB peak",
    "other tenant asks, ms p50 · p95",
    "ingests, ms p50 · p95",
  );
  row(...Array<string>(7).fill("---"));
  row(
    "none",
    "",
    "",
    `${mb(memory.now())} · ${mb(memory.takePeaks().server)} · ${mb(memory.now())}`,
    "0",
    ...waitCells(alone),
  );
  for (const file of hostileFiles) {
    const before = memory.now();
    memory.takePeaks();
    takeWaits();
    const [outcome] = await Promise.all([send(file), Bun.sleep(shortestWindowMs)]);
    const during = takeWaits();
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
    if (!outcome.isOneFailure) faults.push(`${file.what} is no failed document`);
    const slowest = Math.max(quantile(during.ask, 0.95), quantile(during.ingest, 0.95));
    if (slowest > Number(seconds) * 500)
      faults.push(`${file.what}: the other tenant waited ${(slowest / 1_000).toFixed(1)} s`);
  }
  takeWaits();
  await Bun.sleep(quietMs);
  row(
    "none",
    "",
    "",
    `${mb(memory.now())} · ${mb(memory.takePeaks().server)} · ${mb(memory.now())}`,
    "0",
    ...waitCells(takeWaits()),
  );
  const listed = (await (
    await fetch(`${url}/api/document?limit=100`, { headers: { authorization: `Bearer ${adminKey}` } })
  ).json()) as { status: string }[];
  const failed = listed.filter(({ status }) => status === "failed").length;
  if (listed.length !== hostileFiles.length || failed !== hostileFiles.length)
    faults.push(`${listed.length} documents, ${failed} failed, instead of ${hostileFiles.length} failed ones`);
} finally {
  isOver = true;
  await other.catch((error: unknown) => faults.push(String(error)));
  memory.stop();
  await server.stop();
  folder.remove();
}
for (const fault of faults) console.log(`  ${fault}`);
console.log(faults.length === 0 ? "PASSED" : "FAILED");
process.exitCode = faults.length === 0 ? 0 : 1;
