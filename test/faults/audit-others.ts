import { createClient, type Json } from "./client.ts";
import { type AuditContext, reportUnknown, settle } from "./compare.ts";
import type { ChatState } from "./ledger.ts";
import { shorten } from "./report.ts";

const listAll = async ({ client }: AuditContext, path: string): Promise<Json[]> => {
  const all: Json[] = [];
  for (;;) {
    const page = await client.expect("GET", `${path}?limit=100&skip=${all.length}`);
    all.push(...page);
    if (page.length < 100) return all;
  }
};

/** Matches records with entries: by id where it is known, else by one of the names that it may have. */
const matcher = (found: Json[]) => {
  const left = new Set(found);
  return {
    left,
    take(id: string | null, names: readonly (string | undefined)[]): Json {
      for (const one of left) {
        if (id === null ? !names.includes(one.name) : one.id !== id) continue;
        left.delete(one);
        return one;
      }
      return null;
    },
  };
};

export const auditPartitions = async (context: AuditContext): Promise<void> => {
  const found = matcher(await listAll(context, "/api/partition"));
  for (const lane of context.lanes)
    for (const entry of lane.partitions) {
      const one = found.take(
        entry.id,
        entry.states.map((state) => state?.name),
      );
      settle(context, `partition ${entry.id}`, entry, one, ({ name }) => one.name === name);
      if (one !== null) entry.id = one.id;
    }
  reportUnknown(
    context,
    "partition",
    [...found.left].map(({ name }) => name),
  );
};

/** Each sent message with its answer after it; what was under way may lack its answer. */
const holdsMessages = (found: Json[], { messages }: ChatState, mayHaveMore: boolean): boolean => {
  let at = 0;
  for (const { sent, answer } of messages) {
    if (found[at]?.isSystem !== false || found[at]?.message !== sent) return false;
    at += 1;
    if (found[at]?.isSystem === true) {
      if (answer !== null && (found[at].id !== answer.id || found[at].message !== answer.message)) return false;
      at += 1;
    } else if (answer !== null) return false;
  }
  return mayHaveMore || at === found.length;
};

export const auditChats = async (context: AuditContext): Promise<void> => {
  const { client } = context;
  const listed = new Set((await listAll(context, "/api/chat")).map(({ id }) => id));
  for (const lane of context.lanes)
    for (const entry of lane.chats) {
      const { status, body } = await client.call("GET", `/api/chat/${entry.id}`);
      if (status !== 200 && status !== 404) context.report.answers.push(`chat ${entry.id}: ${status} ${shorten(body)}`);
      const found = status === 200 ? body : null;
      if ((found !== null) !== listed.delete(entry.id)) context.report.half.push(`chat ${entry.id} is listed or not`);
      const what = `chat ${entry.id}`;
      settle(
        context,
        what,
        entry,
        found,
        (state) => found.title === state.title && holdsMessages(found.messages, state, false),
      );
    }
  reportUnknown(context, "chat", [...listed]);
};

export const auditKeys = async (context: AuditContext): Promise<void> => {
  const found = matcher(await listAll(context, "/api/key"));
  for (const lane of context.lanes)
    for (const entry of lane.keys) {
      const { secret } = entry;
      const one = found.take(
        entry.id,
        entry.states.map((state) => state?.name),
      );
      settle(context, `key ${entry.id}`, entry, one, ({ name }) => one.name === name);
      if (one !== null) entry.id = one.id;
      if (secret === null) continue;
      const { status } = await createClient(context.url, secret).call("GET", "/api/partition?limit=1");
      if (status !== (one === null ? 401 : 200))
        context.report.lost.push(`a key that is ${one === null ? "revoked" : "there"} answers ${status}`);
    }
  const unknown = [...found.left].filter(({ name }) => /^Key lane/.test(name));
  reportUnknown(
    context,
    "key",
    unknown.map(({ name }) => name),
  );
};
