import { signal } from "@preact/signals";
import type { Document } from "../../../shared/api.ts";
import type { Client } from "../../state/client.ts";

/** Names of documents by id, as far as they were asked for: snippets carry ids alone. */
export interface DocumentNames {
  /** Undefined: not known yet. Null: there is no such document (any more). */
  of(id: string): string | null | undefined;
  /** Keeps names that came with other answers of the server. */
  learn(documents: readonly Pick<Document, "id" | "name">[]): void;
  /** Reads the names that are not known yet. A failure leaves them unknown. */
  want(ids: readonly (string | null)[]): void;
  /** Forgets all of them. */
  clear(): void;
}

/** The most that one list carries. */
const maxIdsAtOnce = 100;

export const createDocumentNames = (client: Pick<Client, "get">): DocumentNames => {
  const names = signal<ReadonlyMap<string, string | null>>(new Map());
  const asked = new Set<string>();
  const keep = (entries: readonly (readonly [string, string | null])[]): void => {
    names.value = new Map([...names.peek(), ...entries]);
  };
  const read = async (ids: readonly string[]): Promise<void> => {
    const found = await client.get<Document[]>("/api/document", { ids: ids.join(","), limit: maxIdsAtOnce });
    const byId = new Map(found.map(({ id, name }) => [id, name]));
    keep(ids.map((id) => [id, byId.get(id) ?? null] as const));
  };
  return {
    of: (id) => names.value.get(id),
    learn(documents) {
      if (documents.length > 0) keep(documents.map(({ id, name }) => [id, name] as const));
    },
    want(given) {
      const ids = [...new Set(given)].filter(
        (id) => id !== null && !asked.has(id) && !names.peek().has(id),
      ) as string[];
      for (let at = 0; at < ids.length; at += maxIdsAtOnce) {
        const some = ids.slice(at, at + maxIdsAtOnce);
        for (const id of some) asked.add(id);
        void read(some).catch(() => {
          for (const id of some) asked.delete(id);
        });
      }
    },
    clear() {
      asked.clear();
      names.value = new Map();
    },
  };
};
