import type { Client } from "./client.ts";
import { attempt, type ChatState, change, type Entry, known, type Lane } from "./ledger.ts";

type Writer = (client: Client, lane: Lane) => Promise<void>;

const anyOf = <E extends Entry<unknown>>(entries: readonly E[], lane: Lane): E | null => {
  const settled = entries.filter((entry) => known(entry) !== null && entry.id !== null);
  return settled.length === 0 ? null : lane.random.pick(settled);
};

const newName = (lane: Lane, kind: string): string => {
  lane.made += 1;
  return `${kind} ${lane.name} ${lane.made}`;
};

const makePartition: Writer = async (client, lane) => {
  const name = newName(lane, "Partition");
  const entry: Lane["partitions"][number] = { id: null, states: [null] };
  lane.partitions.push(entry);
  const answer = await attempt([change(entry, { name })], () => client.call("POST", "/api/partition", { name }));
  if (answer !== null) entry.id = answer.body.id;
};

const renamePartition: Writer = async (client, lane) => {
  const entry = anyOf(lane.partitions, lane);
  if (entry === null) return;
  const name = newName(lane, "Partition");
  await attempt([change(entry, { name })], () => client.call("PUT", `/api/partition/${entry.id}`, { name }));
};

/** With its documents, or without them. */
const removePartition: Writer = async (client, lane) => {
  const entry = anyOf(lane.partitions, lane);
  if (entry === null) return;
  const held = lane.documents.flatMap((document) => {
    const state = known(document);
    return state?.partition === entry && document.repeat === null ? [{ document, state }] : [];
  });
  // What is in doubt, or to be repeated, is left in peace.
  if (
    lane.documents.some(
      ({ states, repeat }) => (states.length > 1 || repeat) && states.some((state) => state?.partition === entry),
    )
  )
    return;
  const how = lane.random.pick(["delete", "detach"]);
  const changes = held.map(({ document, state }) =>
    change(document, how === "delete" ? null : { ...state, partition: null }),
  );
  const send = () => client.call("DELETE", `/api/partition/${entry.id}?documents=${how}`);
  const answer = await attempt([change(entry, null), ...changes], send, true);
  if (answer !== null && how === "delete") lane.goneWords.push(...held.map(({ state }) => state.word));
};

const makeChat: Writer = async (client, lane) => {
  const title = newName(lane, "Chat");
  const id = title.replaceAll(" ", "-");
  const entry: Lane["chats"][number] = { id, states: [null] };
  lane.chats.push(entry);
  await attempt([change(entry, { title, messages: [] })], () => client.call("PUT", `/api/chat/${id}`, { title }));
};

const retitleChat: Writer = async (client, lane) => {
  const entry = anyOf(lane.chats, lane);
  const before = entry === null ? null : known(entry);
  if (entry === null || before === null) return;
  const title = newName(lane, "Chat");
  await attempt([change(entry, { ...before, title })], () => client.call("PUT", `/api/chat/${entry.id}`, { title }));
};

const sendMessage: Writer = async (client, lane) => {
  const entry = anyOf(lane.chats, lane) ?? null;
  const before = entry === null ? null : known(entry);
  if (entry === null || before === null) return;
  const sent = `What did the ${lane.random.word()} do in the winter?`;
  const next: ChatState = { ...before, messages: [...before.messages, { sent, answer: null }] };
  const send = () => client.call("POST", `/api/chat/${entry.id}/message`, { message: sent });
  const answer = await attempt([change(entry, next)], send);
  if (answer === null) {
    // The message stays where only its answer could not be stored.
    entry.states = [before, next];
    return;
  }
  const { id, message } = answer.body;
  entry.states = [{ ...before, messages: [...before.messages, { sent, answer: { id, message } }] }];
};

const removeChat: Writer = async (client, lane) => {
  const entry = anyOf(lane.chats, lane);
  if (entry === null) return;
  await attempt([change(entry, null)], () => client.call("DELETE", `/api/chat/${entry.id}`));
};

const makeKey: Writer = async (client, lane) => {
  const name = newName(lane, "Key");
  const entry: Lane["keys"][number] = { id: null, states: [null], secret: null };
  lane.keys.push(entry);
  const answer = await attempt([change(entry, { name })], () => client.call("POST", "/api/key", { name }));
  if (answer === null) return;
  entry.id = answer.body.id;
  entry.secret = answer.body.key;
};

const revokeKey: Writer = async (client, lane) => {
  const entry = anyOf(lane.keys, lane);
  if (entry === null) return;
  await attempt([change(entry, null)], () => client.call("DELETE", `/api/key/${entry.id}`));
};

const most = { partitions: 6, chats: 8, keys: 8 };

const pairs: readonly { of: keyof typeof most; make: Writer; others: readonly Writer[]; remove: Writer }[] = [
  { of: "partitions", make: makePartition, others: [renamePartition], remove: removePartition },
  { of: "chats", make: makeChat, others: [retitleChat, sendMessage, sendMessage, sendMessage], remove: removeChat },
  { of: "keys", make: makeKey, others: [], remove: revokeKey },
];

/** Writes to the partitions, chats or keys of a lane. @throws ConnectionLost, UnexpectedAnswer */
export const writeOther: Writer = async (client, lane) => {
  const { of, make, others, remove } = lane.random.pick(pairs);
  const there = lane[of].filter((entry) => known<unknown>(entry) !== null).length;
  if (there === 0) return await make(client, lane);
  if (there >= most[of]) return await remove(client, lane);
  await lane.random.pick([make, make, remove, ...others, ...others])(client, lane);
};
