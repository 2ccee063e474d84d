import type { Answer, Client, Json } from "./client.ts";
import { attempt, change, type DocumentEntry, type DocumentState, known, type Lane } from "./ledger.ts";
import { textWith } from "./texts.ts";

/** Writes to the documents of a lane. @throws ConnectionLost, UnexpectedAnswer */
type DocumentWriter = (client: Client, lane: Lane) => Promise<void>;

const newEntry = (lane: Lane): DocumentEntry => {
  lane.made += 1;
  const entry: DocumentEntry = { id: null, serial: `${lane.name}-${lane.made}`, states: [null], repeat: null };
  lane.documents.push(entry);
  return entry;
};

/** Nothing of it is in doubt, and it is there. */
const anyDocument = ({ documents, random }: Lane): DocumentEntry | null => {
  const settled = documents.filter((entry) => known(entry) !== null && entry.id !== null && entry.repeat === null);
  return settled.length === 0 ? null : random.pick(settled);
};

const anyPartition = ({ partitions, random }: Lane) => {
  const settled = partitions.filter((entry) => known(entry) !== null && entry.id !== null);
  return settled.length === 0 || random.next() < 0.4 ? null : random.pick(settled);
};

const newState = (lane: Lane, entry: DocumentEntry, isFile = false): DocumentState => {
  const { random } = lane;
  const word = random.word();
  const text = textWith(random, word);
  return {
    name: `${lane.doing} ${entry.serial} ${random.below(1_000)}`,
    text,
    word,
    metadata: { externalId: entry.serial, mark: random.below(1_000_000) },
    partition: anyPartition(lane),
    file: isFile ? text : null,
  };
};

const bodyOf = ({ name, text, metadata, partition }: DocumentState, more: Json = {}) => ({
  name,
  text,
  metadata,
  ...(partition === null ? {} : { partitionId: partition.id }),
  ...more,
});

const formOf = (state: DocumentState, more: Record<string, string> = {}): FormData => {
  const { text, metadata, ...fields } = bodyOf(state, more);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append("metadata", JSON.stringify(metadata));
  form.append("file", new File([text], "file.txt", { type: "text/plain" }));
  return form;
};

const noteId = (entry: DocumentEntry, answer: Answer | null): void => {
  if (answer !== null) entry.id = answer.body.id;
};

const modes = [{}, { async: true }];

const ingest: DocumentWriter = async (client, lane) => {
  const entry = newEntry(lane);
  const state = newState(lane, entry);
  const body = bodyOf(state, lane.random.pick(modes));
  noteId(entry, await attempt([change(entry, state)], () => client.call("POST", "/api/ingest", body)));
};

const upload: DocumentWriter = async (client, lane) => {
  const entry = newEntry(lane);
  const state = newState(lane, entry, true);
  const form = formOf(state, lane.random.next() < 0.5 ? { async: "true" } : {});
  noteId(entry, await attempt([change(entry, state)], () => client.call("POST", "/api/ingest", form)));
};

const ingestOnce: DocumentWriter = async (client, lane) => {
  const entry = newEntry(lane);
  const state = newState(lane, entry);
  const repeat = { key: `once ${entry.serial}`, body: bodyOf(state, lane.random.pick(modes)) };
  entry.repeat = repeat;
  const send = () => client.call("POST", "/api/ingest", repeat.body, { "idempotency-key": repeat.key });
  noteId(entry, await attempt([change(entry, state)], send));
};

const ingestBatch: DocumentWriter = async (client, lane) => {
  const lines = Array.from({ length: 2 + lane.random.below(6) }, () => {
    const entry = newEntry(lane);
    return { entry, state: newState(lane, entry) };
  });
  const body = lines.map(({ state }) => JSON.stringify(bodyOf(state))).join("\n");
  const send = () => client.call("POST", "/api/ingest/batch", body, { "content-type": "application/x-ndjson" });
  const changes = lines.map(({ entry, state }) => change(entry, state));
  const answer = await attempt(changes, send);
  // Its status says nothing: each line has an answer of its own.
  const answered = String(typeof answer?.body === "string" ? answer.body : JSON.stringify(answer?.body ?? ""));
  for (const line of answered.split("\n").filter((text) => text !== "")) {
    const { line: number, id, error } = JSON.parse(line);
    const entry = lines[number - 1]?.entry;
    if (entry === undefined) throw new Error(`an answer to no line: ${line}`);
    if (id === undefined && error?.code !== "storage_unavailable" && error?.code !== "overloaded")
      throw new Error(`a line was refused: ${line}`);
    if (id === undefined) entry.states = [null];
    else entry.id = id;
  }
};

/** Also of one that is not there yet: then it is made. */
const upsert: DocumentWriter = async (client, lane) => {
  const entry = (lane.random.next() < 0.75 ? anyDocument(lane) : null) ?? newEntry(lane);
  const before = known(entry);
  const isFile = lane.random.next() < 0.3;
  const state = newState(lane, entry, isFile);
  if (state.partition === null) state.partition = before?.partition ?? null;
  const isLater = lane.random.next() < 0.5;
  const body = isFile
    ? formOf(state, { upsert: "true", async: String(isLater) })
    : bodyOf(state, { upsert: true, async: isLater });
  const answer = await attempt([change(entry, state)], () => client.call("POST", "/api/ingest", body));
  noteId(entry, answer);
  if (before !== null && answer !== null) lane.goneWords.push(before.word);
};

/** Text, labels or both. */
const put: DocumentWriter = async (client, lane) => {
  const entry = anyDocument(lane);
  const before = entry === null ? null : known(entry);
  if (entry === null || before === null) return;
  const next = newState(lane, entry);
  const kind = lane.random.pick(["text", "labels", "both"]);
  const text = kind === "labels" ? {} : { text: next.text };
  const labels =
    kind === "text" ? {} : { name: next.name, metadata: next.metadata, partitionId: next.partition?.id ?? null };
  const state: DocumentState = {
    ...(kind === "text" ? before : next),
    text: text.text ?? before.text,
    word: kind === "labels" ? before.word : next.word,
    file: before.file,
  };
  const send = () => client.call("PUT", `/api/document/${entry.id}`, { ...text, ...labels });
  const answer = await attempt([change(entry, state)], send);
  if (answer !== null && kind !== "labels") lane.goneWords.push(before.word);
};

const remove: DocumentWriter = async (client, lane) => {
  const entry = anyDocument(lane);
  const before = entry === null ? null : known(entry);
  if (entry === null || before === null) return;
  const send = () => client.call("DELETE", `/api/document/${entry.id}`);
  if ((await attempt([change(entry, null)], send)) !== null) lane.goneWords.push(before.word);
};

/** A lane that holds so many documents makes no more of them. */
const maxDocuments = 60;

const growing = [ingest, ingest, upload, ingestOnce, ingestBatch];
const changing = [upsert, upsert, put, put, put, remove];

export const writeDocument: DocumentWriter = async (client, lane) => {
  const there = lane.documents.filter(({ states }) => states.some((state) => state !== null)).length;
  const grows = lane.random.next() < (there === 0 ? 1 : there >= maxDocuments ? 0 : 0.45);
  const writer = there >= maxDocuments ? remove : lane.random.pick(grows ? growing : changing);
  lane.doing = writer.name;
  await writer(client, lane);
};
