import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { KillableServer } from "../../bench/serving/killable-server.ts";
import { generateKey } from "../../src/access/key.ts";
import { type Client, ConnectionLost, createClient, type Json } from "./client.ts";
import { type FaultRun, startAlone } from "./kills.ts";
import type { Random } from "./random.ts";
import { stopServer } from "./store-audit.ts";

const organizations = ["north", "south", "east"];
const partitionCount = 7;
const documentCount = 60;
const messageCount = 40;
/** Of the documents of an export, by their external ids: these are upserted meanwhile. */
const upsertedCount = 20;
/** Records in one request of an import. */
const batchRecords = 25;
const longestLifeMs = 900;

/** One export, as its lines are sent. */
interface Export {
  round: number;
  lines: string[];
  chatId: string;
  /** A word of each text that no other text has, by external id. */
  words: Map<string, string>;
}

const makeExport = (round: number, random: Random): Export => {
  const createdAt = new Date(1_790_000_000_000 + round).toISOString();
  const partitions = Array.from({ length: partitionCount }, (_, at) => ({
    id: Bun.randomUUIDv7(),
    name: `Partition ${round}.${at}`,
    createdAt,
  }));
  const words = new Map<string, string>();
  const documents = Array.from({ length: documentCount }, (_, at) => {
    const partition = partitions[at % partitionCount];
    const externalId = `${round}.${at}`;
    const word = random.word();
    words.set(externalId, word);
    return {
      id: Bun.randomUUIDv7(),
      partitionId: partition?.id ?? null,
      partition: partition?.name ?? null,
      name: `Import ${round}.${at}`,
      addedByUserId: "importer",
      createdAt,
      updatedAt: createdAt,
      sourceKind: "text",
      originalUrl: null,
      mimeType: "text/plain",
      declaredMimeType: null,
      metadata: { externalId, imported: true },
      tokens: null,
      status: "processed",
      error: null,
      errorReason: null,
      warnings: [],
      pages: [],
      text: `The word ${word} stands in this text.`,
      pendingText: null,
      file: null,
    };
  });
  const chatId = `round-${round}-${random.word()}`;
  const chat = { name: "Chat", title: null, userId: "u", documentId: null, partitionId: null, partition: null };
  const more = { public: false, logoUrl: null, brandSettings: null, createdAt, named: true };
  const messages = Array.from({ length: messageCount }, (_, at) => ({
    id: Bun.randomUUIDv7(),
    chatId,
    thread: "t",
    userId: "u",
    isSystem: false,
    message: `message ${at}`,
    sourceDocuments: [],
    createdAt,
  }));
  const line = (kind: string, record: object): string => JSON.stringify({ kind, record, follows: [] });
  return {
    round,
    chatId,
    words,
    lines: [
      ...partitions.map((record) => line("partition", record)),
      ...documents.map((record) => line("document", record)),
      line("chat", { id: chatId, ...chat, ...more }),
      ...messages.map((record) => line("message", record)),
    ],
  };
};

/** @returns the sum of what the requests say was added of each kind */
const importAll = async (client: Client, { lines }: Export): Promise<Record<string, number>> => {
  const added: Record<string, number> = {};
  for (let start = 0; start < lines.length; start += batchRecords) {
    const body = lines.slice(start, start + batchRecords).join("\n");
    const answer = await client.call("POST", "/api/import", body, { "content-type": "application/x-ndjson" });
    if (answer.status !== 200) throw new Error(`an import answers ${answer.status}: ${JSON.stringify(answer.body)}`);
    for (const kind of ["partitions", "documents", "chats", "messages"])
      added[kind] = (added[kind] ?? 0) + answer.body[kind].added;
  }
  return added;
};

/** Upserts some of the documents again and again until the server is gone, or `isEnding` says so. */
const upsertSome = async (client: Client, { words }: Export, isEnding: () => boolean): Promise<number> => {
  const externalIds = [...words.keys()].slice(0, upsertedCount);
  let acknowledged = 0;
  for (let at = 0; !isEnding(); at += 1) {
    const externalId = externalIds[at % externalIds.length] as string;
    const text = `The word ${words.get(externalId)} stands in this text, upsert ${at}.`;
    const body = { name: `Upsert ${externalId}`, text, metadata: { externalId }, upsert: true };
    const answer = await client.call("POST", "/api/ingest", body);
    if (answer.status === 200) acknowledged += 1;
    else throw new Error(`an upsert answers ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return acknowledged;
};

const listAll = async (client: Client, path: string): Promise<{ items: Json[]; total: number }> => {
  const items: Json[] = [];
  for (;;) {
    const answer = await client.call("GET", `${path}${path.includes("?") ? "&" : "?"}limit=100&skip=${items.length}`);
    items.push(...answer.body);
    if (answer.body.length < 100) return { items, total: Number(answer.headers.get("x-total-count")) };
  }
};

/** What each organization holds of an export that it has imported to the end; ids of records go into `seen`. */
const auditImport = async (
  { report }: FaultRun,
  client: Client,
  taken: Export,
  moment: string,
  seen: Map<string, string>,
): Promise<void> => {
  const lost = (what: string): void => void report.lost.push(`${moment}: ${what}`);
  const see = (id: string): void => {
    const before = seen.get(id);
    if (before !== undefined) lost(`the id ${id} is also there ${before}`);
    seen.set(id, moment);
  };
  const { items, total } = await listAll(client, "/api/document");
  if (items.length !== total) lost(`${total} documents are counted, ${items.length} listed`);
  for (const { id } of items) see(id);
  const mine = items.filter(({ metadata }) => taken.words.has(metadata.externalId) && metadata.imported === true);
  const upserted = items.filter(({ metadata }) => taken.words.has(metadata.externalId) && metadata.imported !== true);
  const there = new Set([...mine, ...upserted].map(({ metadata }) => metadata.externalId));
  for (const [externalId, word] of taken.words) {
    report.compared += 1;
    report.searched += 1;
    if (!there.has(externalId)) lost(`document ${externalId} is not listed`);
    const found = await client.expect("POST", "/api/search", { query: word });
    if (!JSON.stringify(found.relevantSnippets).includes(word)) lost(`document ${externalId} is not found by ${word}`);
  }
  const partitions = (await listAll(client, "/api/partition")).items.filter(({ name }) =>
    name.startsWith(`Partition ${taken.round}.`),
  );
  for (const { id } of partitions) see(id);
  const counted = partitions.reduce((sum, { documents }) => sum + documents, 0);
  const placed = items.filter(({ partitionId }) => partitions.some(({ id }) => id === partitionId)).length;
  if (partitions.length !== partitionCount || counted !== placed)
    lost(`${partitions.length} partitions hold ${counted} documents, ${placed} name them`);
  if (mine.length + upserted.length < documentCount) lost(`${mine.length} documents and ${upserted.length} upserts`);
  const chats = (await listAll(client, "/api/chat")).items;
  for (const { id } of chats) see(id);
  const messages: number[] = [];
  for (const { id } of chats) messages.push((await client.expect("GET", `/api/chat/${id}`)).messages.length);
  report.compared += chats.length + partitions.length;
  if (chats.length !== taken.round || messages.some((count) => count !== messageCount))
    lost(`${chats.length} chats with ${messages.join(", ")} messages`);
};

/**
 * Imports one export into three organizations at once, beside upserts of the same external ids, and kills the server in the
 * middle; after the start the imports are ended, side by side again, and compared with what was sent.
 */
export const runImports = async (run: FaultRun, rounds: number): Promise<void> => {
  const { folder, random, report, say } = run;
  await mkdir(folder, { recursive: true });
  const admin = generateKey();
  const keys: string[] = [];
  let server: KillableServer | null = null;
  const start = async (moment: string): Promise<Client[] | null> => {
    const running = await startAlone(run, admin);
    if (running === null) {
      report.starts.push(`${moment}: the server does not listen`);
      return null;
    }
    server = running.server;
    for (const name of organizations.slice(keys.length)) keys.push(await keyOf(run, name));
    return keys.map((key) => createClient(running.url, key));
  };
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const moment = `import ${round}`;
      const taken = makeExport(round, random);
      let clients = await start(moment);
      if (clients === null) return;
      let isEnding = false;
      const unlessLost = async (work: Promise<unknown>): Promise<void> => {
        await work.catch((error: unknown) => {
          if (!(error instanceof ConnectionLost)) report.answers.push(`${moment}: ${error}`);
        });
      };
      const acknowledge = (count: number): void => {
        report.acknowledged += count;
      };
      const isKilled = round % 4 !== 0;
      const work = clients.flatMap((client) => [
        unlessLost(importAll(client, taken).then(() => acknowledge(taken.lines.length))),
        unlessLost(upsertSome(client, taken, () => isEnding).then((count) => acknowledge(count))),
      ]);
      await Bun.sleep(20 + random.below(longestLifeMs));
      isEnding = !isKilled;
      if (isKilled) {
        await (server as KillableServer | null)?.kill();
        await Promise.all(work);
        clients = await start(`${moment}, after the kill`);
        if (clients === null) return;
      } else await Promise.all(work);
      await Promise.all(clients.map((client) => unlessLost(importAll(client, taken))));
      const seen = new Map<string, string>();
      for (const [at, client] of clients.entries())
        await auditImport(run, client, taken, `${moment}, ${organizations[at]}`, seen);
      const repeated = await Promise.all(clients.map((client) => importAll(client, taken)));
      for (const added of repeated)
        if (Object.values(added).some((count) => count > 0))
          report.half.push(`${moment}: a repeated import adds ${JSON.stringify(added)}`);
      if (server !== null) await stopServer(server, report, moment);
      say(`${moment}: ${isKilled ? "killed" : "not killed"}, ${report.compared} records compared`);
    }
  } finally {
    await (server as KillableServer | null)?.kill();
  }
};

/** Another organization is made by the command alone. */
const keyOf = async ({ command, folder }: FaultRun, organization: string): Promise<string> => {
  const options = ["key", "create", "--name", "faults", "--role", "admin", "--organization", organization, "--json"];
  const child = Bun.spawn([...command, ...options], {
    cwd: folder,
    env: { PATH: "", HOME: folder, CARREL_DATA_DIR: join(folder, "data") },
    stdout: "pipe",
    stderr: "inherit",
  });
  const made = (await new Response(child.stdout).json()) as { key: string };
  await child.exited;
  return made.key;
};
