import type { Corpus } from "../serving/corpus.ts";
import type { Place, Places } from "./population.ts";
import type { Client, Tally } from "./requests.ts";
import type { Work } from "./schedule.ts";

const chatCount = 40;
/** A chat with this many questions is deleted, and another begun. */
const maxChatMessages = 10;
const pollMs = 500;
const teams = 8;

/** A place for a chat, and how many questions it has had. */
export interface Chats {
  places: Places;
  questions: Map<number, number>;
}

const createChat = async (client: Client, number: number): Promise<string> =>
  ((await client.ask("POST", "/api/chat", { title: `Chat ${number}` })) as { id: string }).id;

export const beginChats = async (client: Client): Promise<string[]> => {
  const ids: string[] = [];
  for (let number = 0; number < chatCount; number += 1) ids.push(await createChat(client, number));
  return ids;
};

const sendMessage = async (client: Client, { questions }: Chats, place: Place, message: string): Promise<void> => {
  const asked = (questions.get(place.number) ?? 0) + 1;
  questions.set(place.number, asked % maxChatMessages);
  await client.ask("POST", `/api/chat/${place.id}/message`, { message });
  if (asked < maxChatMessages) return;
  await client.ask("DELETE", `/api/chat/${place.id}`);
  place.id = await createChat(client, place.number);
};

const statusOf = async (answer: Promise<Response>): Promise<number> => {
  const response = await answer;
  await response.arrayBuffer();
  return response.status;
};

const expectStatus = async (what: string, expected: number, answer: Promise<Response>): Promise<void> => {
  const status = await statusOf(answer);
  if (status !== expected) throw new Error(`${what} answered ${status}, not ${expected}`);
};

/** A key that is issued, used and revoked: then it must be refused. */
const useKey = async (client: Client, query: string): Promise<void> => {
  const { id, key } = (await client.ask("POST", "/api/key", { name: "soak" })) as { id: string; key: string };
  const search = () =>
    client.send("POST", "/api/search", {
      body: JSON.stringify({ query }),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
  await expectStatus("the new key", 200, search());
  await client.ask("DELETE", `/api/key/${id}`);
  await expectStatus("the revoked key", 401, search());
};

const readExport = async (client: Client): Promise<void> => {
  const response = await client.send("GET", "/api/export");
  let end = "";
  if (response.body === null) throw new Error("an export without a body");
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) end = (end + part).slice(-200);
  if (!/"kind":"end"/.test(end)) throw new Error(`an export that ends with ${end}`);
};

const makeBackup = async (client: Client): Promise<void> => {
  const { id } = (await client.ask("POST", "/api/backup", {})) as { id: string };
  for (;;) {
    const backups = (await client.ask("GET", "/api/backup")) as { id: string; status: string }[];
    const made = backups.find((backup) => backup.id === id);
    if (made?.status === "completed") return;
    if (made === undefined || made.status === "failed") throw new Error(`backup ${id}: ${JSON.stringify(made)}`);
    await Bun.sleep(pollMs);
  }
};

/** A question whose answer is streamed; the last event must be `done`. */
const stream = async (client: Client, query: string): Promise<void> => {
  const response = await client.send("POST", "/api/query", {
    body: JSON.stringify({ query, stream: true }),
    headers: { "content-type": "application/json" },
  });
  const events = await response.text();
  if (!events.includes("event: done")) throw new Error(`a stream without an end: ${events.slice(-300)}`);
};

/** All but what changes documents: questions, chats, keys, pages, what is done on a schedule. */
export const serviceWork = (
  client: Client,
  tally: Pick<Tally, "warn">,
  corpus: Corpus,
  chats: Chats,
  random: () => number,
): Work[] => {
  const ask = async (path: string, body: unknown): Promise<void> => {
    const { receipt } = (await client.ask("POST", path, body)) as { receipt: { warnings: string[] } };
    if (receipt.warnings.length > 0) tally.warn();
  };
  return [
    { kind: "question", perDay: 1_600, run: () => ask("/api/query", { query: corpus.question() }) },
    { kind: "question, streamed", perDay: 600, run: () => stream(client, corpus.question()) },
    {
      kind: "search",
      perDay: 2_400,
      run: () =>
        ask("/api/search", {
          query: corpus.question(),
          ...(random() < 0.3 ? { metadata: { shelf: Math.floor(random() * 5) } } : {}),
        }),
    },
    {
      kind: "message of a chat",
      perDay: 1_000,
      run: () =>
        chats.places.use(1, async ([place]) => {
          if (place !== undefined) await sendMessage(client, chats, place, corpus.question());
        }),
    },
    { kind: "key: issue, use, revoke", perDay: 100, run: () => useKey(client, corpus.question()) },
    {
      kind: "partition: make, list, delete",
      perDay: 100,
      run: async () => {
        const name = `shelf ${Math.floor(random() * 1e9)}`;
        const { id } = (await client.ask("POST", "/api/partition", { name })) as { id: string };
        await client.ask("GET", "/api/partition?limit=50");
        await client.ask("GET", `/api/partition/search?searchValue=team%20${Math.floor(random() * teams)}`);
        await client.ask("DELETE", `/api/partition/${id}`);
      },
    },
    { kind: "page of the console", perDay: 200, run: () => expectStatus("/", 200, client.send("GET", "/documents")) },
    {
      kind: "metrics",
      perDay: 1_440,
      isRegular: true,
      run: () => expectStatus("/metrics", 200, client.send("GET", "/metrics")),
    },
    { kind: "export", perDay: 24, isRegular: true, run: () => readExport(client) },
    { kind: "backup, until done", perDay: 24, isRegular: true, run: () => makeBackup(client) },
  ];
};
