import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startKillable } from "../../bench/serving/killable-server.ts";
import { generateKey } from "../../src/access/key.ts";
import { formOf } from "../call-server.ts";
import { eventually } from "../until.ts";
import { type Answer, type Client, createClient, type Json } from "./client.ts";
import type { FaultRun } from "./kills.ts";
import { withPatience } from "./patience.ts";
import { shorten } from "./report.ts";

interface Stored {
  key: string;
  documents: { id: string; name: string; text: string; word: string; file: string | null; metadata: Json }[];
  chats: { id: string; messages: { id: string; message: string }[] }[];
  partitions: string[];
}

const mostStartMs = 60_000;
/** Documents whose word is asked for in each round; all are read. */
const askedEach = 4;
/** Codes of errors that say that something is damaged, or is being made again. */
const explained = ["data_damaged", "index_incomplete"];
/** What is no part of what is stored: it is made again, or is never read. */
const isStored = (path: string): boolean => !/^(lock|reserve|runtime\/|carrel\.sock|settings-seen\.json)/.test(path);

const fill = async (client: Client, { random }: Pick<FaultRun, "random">, key: string): Promise<Stored> => {
  const stored: Stored = { key, documents: [], chats: [], partitions: [] };
  const partition = await client.expect("POST", "/api/partition", { name: "shelf" });
  stored.partitions.push(partition.id);
  for (let at = 0; at < 24; at += 1) {
    const word = random.word();
    const text = Array.from(
      { length: 1 + random.below(30) },
      (_, n) => `Line ${n} of ${word} says ${random.word()}.`,
    ).join("\n\n");
    const name = `Document ${at}`;
    const isFile = at % 4 === 3;
    const form = formOf({ file: new File([text], `${name}.txt`, { type: "text/plain" }), name });
    const body = isFile ? form : { name, text, metadata: { at }, ...(at % 3 === 0 ? { partition: "shelf" } : {}) };
    const made = await client.expect("POST", "/api/ingest", body);
    const shown = await client.expect("GET", `/api/document/${made.id}`);
    stored.documents.push({
      id: made.id,
      name,
      word,
      text: shown.originalText,
      file: isFile ? text : null,
      metadata: shown.metadata,
    });
  }
  for (let at = 0; at < 3; at += 1) {
    const chat = await client.expect("POST", "/api/chat", { title: `Chat ${at}` });
    for (const { word } of stored.documents.slice(at, at + 3))
      await client.expect("POST", `/api/chat/${chat.id}/message`, { message: `What does ${word} say?` });
    const { messages } = await client.expect("GET", `/api/chat/${chat.id}`);
    stored.chats.push({ id: chat.id, messages: messages.map(({ id, message }: Json) => ({ id, message })) });
  }
  return stored;
};

/** Flips one random bit of a random file of the store. @returns which */
const flip = async (data: string, random: FaultRun["random"], only: RegExp): Promise<string> => {
  const paths = (await readdir(data, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(data.length + 1))
    .filter((path) => isStored(path) && only.test(path))
    .sort();
  // By kind of file, so that the many of one kind do not leave the others out.
  const kinds = Object.groupBy(paths, (path) =>
    path
      .split("/")
      .slice(0, 3)
      .join("/")
      .replace(/_[0-9a-f]{32}/, ""),
  );
  const path = random.pick(kinds[random.pick(Object.keys(kinds))] ?? paths);
  const bytes = await readFile(join(data, path));
  if (bytes.length === 0) return await flip(data, random, only);
  const at = random.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  await writeFile(join(data, path), bytes);
  return `${path}, byte ${at}`;
};

/**
 * Fills a store, and flips one random bit of it in each of many rounds: what the server then answers is right, or an error
 * that says that it is damaged and that a check names. Every other round begins with a store that was stopped before its upkeep.
 * @param only files whose path in the data directory matches
 */
export const runFlips = async (run: FaultRun, rounds: number, only = /./): Promise<void> => {
  const { command, folder, random, report, say } = run;
  const key = generateKey();
  const data = join(folder, "data");
  const settings = { CARREL_ADMIN_KEY: key, CARREL_MODELS_EMBEDDING_MODEL: "static" };
  const tell = (kind: "lost" | "answers" | "starts", where: string, what: string): void =>
    void report[kind].push(`${where}: ${what}`);
  let refused = 0;
  let errors = 0;

  const first = startKillable(command, folder, settings);
  const url = await first.url;
  if (url === null) throw new Error("the server did not start on an empty store");
  const stored = await fill(createClient(url, key), run, key);
  await first.stop();
  const keep = (name: string) =>
    cp(data, join(folder, name), { recursive: true, filter: (path) => !path.endsWith(".sock") });
  await keep("untidied");
  const second = startKillable(command, folder, settings);
  await second.url;
  await Bun.sleep(20_000); // for the upkeep of all tables
  await second.stop();
  await keep("tidied");

  for (let round = 0; round < rounds; round += 1) {
    await rm(data, { recursive: true, force: true });
    await cp(join(folder, round % 2 === 0 ? "tidied" : "untidied"), data, { recursive: true });
    const where = await flip(data, random, only);
    const said: string[] = [];
    const server = startKillable(command, folder, settings, true, (text) => void said.push(text));
    const address = await withPatience(server.url, mostStartMs);
    if (typeof address !== "string") {
      await server.kill();
      refused += 1;
      if (!/damaged|cannot be opened|broken|restore/.test(said.join("")))
        tell("starts", where, said.join("").slice(0, 300));
      continue;
    }
    const before = errors;
    const client = createClient(address, key);
    /** @returns whether the answer may be compared with what was stored */
    const isAnswered = (what: string, { status, body }: Answer): boolean => {
      report.compared += 1;
      if (status === 200) return true;
      if (explained.includes(body?.code)) errors += 1;
      else if (status >= 500) tell("answers", where, `${what} answered ${status} ${shorten(body)}`);
      else tell("lost", where, `${what} answered ${status} ${body?.code}`);
      return false;
    };
    try {
      await audit(client, stored, isAnswered, (what) => tell("lost", where, what), random);
      report.searched += askedEach;
      const lines = String((await client.call("POST", "/api/check")).body)
        .trimEnd()
        .split("\n");
      const checked = JSON.parse(lines.at(-1) ?? "{}");
      if (errors > before && !(checked.damage?.length > 0)) {
        // What was being made again may be whole by now: then the same is answered.
        await eventually(async () => {
          const again = errors;
          await audit(client, stored, isAnswered, (what) => tell("lost", where, `later: ${what}`), random);
          if (errors > again) throw new Error("still an error that no check names");
        }).catch((error: unknown) => tell("answers", where, String(error)));
      }
      const { body } = await client.call("GET", "/health/ready");
      if (checked.damage?.length > 0 !== (body.status === "degraded"))
        tell("answers", where, `readiness says ${body.status}, the check ${shorten(checked.damage)}`);
    } catch (error) {
      tell("answers", where, String(error));
    }
    await server.stop();
    if ((round + 1) % 10 === 0) say(`${round + 1} flips: ${refused} starts refused, ${errors} errors that say why`);
  }
  say(
    `${rounds} flips: ${refused} starts refused with a reason, ${errors} answers were errors that say what is damaged`,
  );
};

/** Compares everything that is stored with what was. */
const audit = async (
  client: Client,
  stored: Stored,
  isAnswered: (what: string, answer: Answer) => boolean,
  wrong: (what: string) => void,
  random: FaultRun["random"],
): Promise<void> => {
  const list = await client.call("GET", "/api/document?limit=100");
  if (isAnswered("the list", list)) {
    const isTold = list.headers.has("x-carrel-damaged");
    for (const { id, name, metadata } of stored.documents) {
      const shown = list.body.find((one: Json) => one.id === id);
      if (shown === undefined) {
        if (!isTold) wrong(`${name} is not listed, and the list does not say so`);
      } else if (shown.name !== name || !Bun.deepEquals(shown.metadata, metadata))
        wrong(`${name} is listed as ${shorten(shown)}`);
    }
    if (list.body.length > stored.documents.length) wrong(`${list.body.length} documents are listed`);
  }
  for (const { id, name, text, file } of stored.documents) {
    const shown = await client.call("GET", `/api/document/${id}`);
    if (isAnswered(name, shown) && shown.body.originalText !== text)
      wrong(`the text of ${name} is ${shorten(shown.body)}`);
    if (file === null) continue;
    const sent = await client.call("GET", `/api/document/${id}/file`);
    if (isAnswered(`the file of ${name}`, sent) && sent.body !== file)
      wrong(`the file of ${name} is ${shorten(sent.body)}`);
  }
  for (let asked = 0; asked < askedEach; asked += 1) {
    const { id, name, word, text } = random.pick(stored.documents);
    const answer = await client.call("POST", "/api/query", { query: `What does ${word} say?`, answer: false });
    if (!isAnswered(`a question about ${name}`, answer)) continue;
    const own = answer.body.relevantSnippets.filter(({ metadata }: Json) => metadata.documentUploadId === id);
    const warnings = JSON.stringify(answer.body.receipt?.warnings ?? []);
    if (own.length === 0 && /damaged/.test(warnings)) continue; // what is sound was searched, and the answer says so
    if (own.length === 0) wrong(`a question about ${name} does not find it: ${warnings}`);
    for (const { metadata } of own)
      if (!text.includes(metadata.content.trim().split("\n")[0]))
        wrong(`a snippet of ${name} is ${shorten(metadata.content)}`);
  }
  for (const { id, messages } of stored.chats) {
    const chat = await client.call("GET", `/api/chat/${id}`);
    if (!isAnswered(`chat ${id}`, chat)) continue;
    const shown = chat.body.messages.map((one: Json) => ({ id: one.id, message: one.message }));
    if (!Bun.deepEquals(shown, messages)) wrong(`chat ${id} has ${shorten(shown)}`);
  }
  for (const id of stored.partitions) isAnswered(`partition ${id}`, await client.call("GET", `/api/partition/${id}`));
};
