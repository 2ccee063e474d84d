/**
 * A bulk ingest of mixed files, sound and broken, through a server that is killed with SIGKILL at random moments:
 *
 *     bun bench/ingest/kills.ts [BINARY|-] [documents] [kills] [seed]
 *
 * Ends with exactly that number of documents, each processed once or failed with its reason, or says what is wrong.
 * Half of the files are uploaded (with an Idempotency-Key or an externalId), half go through the batch as text or as
 * addresses to fetch; whatever was not acknowledged is sent again after the restart.
 */

import { createRandom } from "../../src/evaluation/estimates.ts";
import { parseFile } from "../../src/parse/parse-file.ts";
import { type KillableServer, startKillable } from "../serving/killable-server.ts";
import { commandOf, temporaryFolder } from "../serving/program.ts";
import { type MixedFile, mixedFiles } from "./mixed-files.ts";
import { batchText, sendBatch, sendUpload } from "./resending-client.ts";
import { storedFaults } from "./stored-faults.ts";

const short = (value: string | null): string =>
  value === null ? "null" : JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);

const [binary = "-", ...numbers] = process.argv.slice(2);
const [count = 500, kills = 20, seed = Date.now() % 100_000] = numbers.map(Number);
const command = commandOf(binary);
const key = `crl_${"k".repeat(43)}`;
/** A process lives this long at most after it listens; one in five is killed before it does. */
const maxLifeMs = 1_200;
const clients = 6;

/** A run can be repeated as far as the machine's own pace allows. */
const random = createRandom(seed);

interface Listed {
  id: string;
  name: string;
  status: string;
  error: string | null;
  originalText: string | null;
}

const files = mixedFiles(count);
const fileServer = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const file = files[Number(new URL(request.url).pathname.split("/")[1])];
    return file === undefined
      ? new Response(null, { status: 404 })
      : new Response(new Uint8Array(file.bytes), { headers: { "content-type": "application/octet-stream" } });
  },
});
const folder = temporaryFolder();
const settings = { CARREL_ADMIN_KEY: key, CARREL_FETCH_ALLOW_PRIVATE_ADDRESSES: "true" };
const began = performance.now();
const figures = { documents: count, kills: 0, killedStarting: 0, sent: 0, resent: 0, processed: 0, failed: 0 };
let server: KillableServer | null = null;
/** Where the living server listens; waiting for it is waiting for the restart. */
let listening: Promise<string | null> = Promise.resolve(null);

const start = (): KillableServer => {
  server = startKillable(command, folder.path, settings);
  listening = server.url;
  return server;
};

const get = async <T>(path: string): Promise<T> => {
  const response = await fetch(`${await listening}${path}`, { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
};

const listAll = async (): Promise<Listed[]> => {
  const documents: Listed[] = [];
  for (;;) {
    const page = await get<Listed[]>(`/api/document?limit=100&skip=${documents.length}&include=originalText`);
    documents.push(...page);
    if (page.length < 100) return documents;
  }
};

const isBatched = (number: number): boolean => number % 2 === 0;

/** Files that may be sent by now: the kills are spread over the whole of them. */
const released = (): number =>
  figures.kills >= kills ? count : Math.ceil((count * (figures.kills + 1)) / (kills + 1));

/** Sends one file after another until all are acknowledged. */
const send = async (queue: number[]): Promise<void> => {
  for (;;) {
    const at = queue[0];
    if (at === undefined) return;
    if (at >= released()) {
      await Bun.sleep(5);
      continue;
    }
    queue.shift();
    const url = await listening;
    const isBatch = isBatched(at);
    const batch = [at];
    while (isBatch && batch.length < 8 && queue[0] !== undefined && queue[0] < released())
      batch.push(queue.shift() as number);
    figures.sent += batch.length;
    const client = { url: url ?? "http://127.0.0.1:9", key, fileServer: fileServer.url.origin };
    const done = isBatch
      ? await sendBatch(client, batch, (number) => files[number] as MixedFile)
      : await sendUpload(client, at, files[at] as MixedFile);
    const left = batch.filter((number) => !done.has(number));
    figures.resent += left.length;
    queue.unshift(...left);
    if (left.length > 0) await Bun.sleep(20);
  }
};

const killer = async (): Promise<void> => {
  while (figures.kills < kills) {
    const current = server as KillableServer;
    const isEarly = random() < 0.2;
    if (!isEarly) await current.url;
    await Bun.sleep(random() * (isEarly ? 400 : maxLifeMs));
    // Whether it was listening already, a settled promise tells.
    if ((await Promise.race([current.url, Promise.resolve("starting")])) === "starting") figures.killedStarting += 1;
    await current.kill();
    figures.kills += 1;
    start();
  }
};

const outcomeOf = async (
  number: number,
  file: MixedFile,
): Promise<Pick<Listed, "status" | "error" | "originalText">> => {
  const text = isBatched(number) ? batchText(file) : null;
  if (text !== null) return { status: "processed", error: null, originalText: text };
  return await parseFile(
    { bytes: file.bytes, name: file.name, mimeType: null, baseUrl: null, charset: null },
    { maxUnpackedBytes: 268_435_456, maxPages: 5_000, maxTextLength: 10_000_000, ocr: null },
  ).then(
    (parsed) => ({ status: "processed", error: null, originalText: parsed.text }),
    (error: Error) => ({ status: "failed", error: error.message, originalText: null }),
  );
};

const faults: string[] = [];
try {
  start();
  const lanes = Array.from({ length: clients }, (_, lane) =>
    // Batches and uploads in lanes of their own.
    files.flatMap((_, number) =>
      Math.floor(number / 2) % (clients / 2) === Math.floor(lane / 2) && number % 2 === lane % 2 ? [number] : [],
    ),
  );
  await Promise.all([killer(), ...lanes.map(send)]);
  const sentSeconds = (performance.now() - began) / 1_000;

  let documents = await listAll();
  while (documents.some(({ status }) => status === "pending" || status === "processing")) {
    await Bun.sleep(200);
    documents = await listAll();
  }
  const seconds = (performance.now() - began) / 1_000;
  const status = await (server as KillableServer | null)?.stop();
  if (status !== 0) faults.push(`the server ended with status ${status}`);

  if (documents.length !== count) faults.push(`${documents.length} documents instead of ${count}`);
  const byName = Map.groupBy(documents, ({ name }) => name);
  for (const [number, file] of files.entries()) {
    const { name } = file;
    const those = byName.get(name) ?? [];
    const [document] = those;
    if (document === undefined || those.length > 1) {
      faults.push(`${name} is there ${those.length} times`);
      continue;
    }
    figures[document.status === "processed" ? "processed" : "failed"] += 1;
    const expected = await outcomeOf(number, file);
    for (const field of ["status", "error", "originalText"] as const) {
      if (document[field] !== expected[field])
        faults.push(`${name}: ${field} is ${short(document[field])} instead of ${short(expected[field])}`);
    }
  }
  const stored = await storedFaults(`${folder.path}/data`);
  for (const [what, list] of Object.entries(stored)) for (const fault of list) faults.push(`${what}: ${fault}`);
  const verdict = faults.length === 0 ? "PASSED" : "FAILED";
  console.log(
    JSON.stringify({ verdict, seed, ...figures, sentSeconds: Math.round(sentSeconds), seconds: Math.round(seconds) }),
  );
} finally {
  for (const fault of faults.slice(0, 30)) console.log(`  ${fault}`);
  await (server as KillableServer | null)?.kill();
  await fileServer.stop(true);
  if (faults.length === 0) folder.remove();
  else console.log(`  the data is left in ${folder.path}`);
}
process.exitCode = faults.length === 0 ? 0 : 1;
