import type { Session } from "../../domain/records.ts";
import type { Logger } from "../../log/log.ts";
import type { SessionStore } from "../contract/accounts.ts";
import { float, text } from "../engine/columns.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { defineTable } from "../engine/table-definition.ts";

export const sessionRows = defineTable<Session>({
  name: "sessions",
  key: "id",
  indexes: {},
  columns: { id: text, keyId: text, createdAt: float, seenAt: float },
});

/** A session's last use is written when it is this much later than the one on the disk. */
const seenEveryMs = 10 * 60_000;
/** Sessions of one key; beyond this the least recently used one ends. */
const maxSessionsOfKey = 100;

/** Sessions are cached in memory, because every request by cookie looks one up. */
export const createSessionStore = async (table: StoreTable<Session>, log: Logger): Promise<SessionStore> => {
  const byId = new Map((await table.find({})).map((session) => [session.id, session]));

  const removeAll = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) byId.delete(id);
    await table.remove("sessions", "id", ids, false);
  };

  return {
    get: (id) => byId.get(id) ?? null,
    async add(session, isOver) {
      const known = [...byId.values()];
      const ended = known.filter(isOver);
      const ofKey = known.filter((other) => other.keyId === session.keyId && !isOver(other));
      const surplus = ofKey.sort((a, b) => b.seenAt - a.seenAt).slice(maxSessionsOfKey - 1);
      await removeAll([...ended, ...surplus].map(({ id }) => id));
      await table.upsert(session.id, [session]);
      byId.set(session.id, session);
    },
    touch(id, seenAt) {
      const session = byId.get(id);
      if (session === undefined || Math.abs(seenAt - session.seenAt) < seenEveryMs) return;
      const seen = { ...session, seenAt };
      byId.set(id, seen);
      table
        .upsert(id, [seen], false)
        .catch((error: unknown) => log.warn({ error: String(error) }, "the last use of a session could not be stored"));
    },
    async remove(id) {
      byId.delete(id); // refused from now on, even before it is removed from the disk
      await table.remove(id, "id", [id]);
    },
  };
};
