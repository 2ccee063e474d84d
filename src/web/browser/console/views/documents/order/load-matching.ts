import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import { type ListQuery, listRequest, pageRows } from "../list-query.ts";

/**
 * So many documents are ordered, and chosen together, at most: ten answers of the API. Each of them is about 1 KB, and a
 * change of all is a request for each.
 */
export const maxMatching = 1_000;

/** What is needed of the client: a list of the API. */
export interface Lists {
  list<Item>(
    path: string,
    query: Record<string, string | number>,
    signal?: AbortSignal,
  ): Promise<{ items: Item[]; total: number | null }>;
}

export interface Matching {
  /** In the query's order by time, newest first for the others; at most `maxMatching`. */
  items: DocumentRecord[];
  /** All that match. */
  total: number;
}

const loadAt = (client: Lists, query: ListQuery, page: number, signal: AbortSignal | undefined) =>
  client.list<DocumentRecord>("/api/document", listRequest({ ...query, page }), signal);

type First = Awaited<ReturnType<typeof loadAt>>;

/** The first page of what matches the filters of a list, whatever its own page: it tells how many match. */
export const loadFirst = (client: Lists, query: ListQuery, signal?: AbortSignal): Promise<First> =>
  loadAt(client, query, 1, signal);

/** All documents that match the filters of a list, whatever its page. @param given what `loadFirst` loaded already */
export const loadMatching = async (
  client: Lists,
  query: ListQuery,
  signal?: AbortSignal,
  given?: First,
): Promise<Matching> => {
  const first = given ?? (await loadFirst(client, query, signal));
  const total = first.total ?? first.items.length;
  const pages = Math.ceil(Math.min(total, maxMatching) / pageRows);
  const others = await Promise.all(
    Array.from({ length: Math.max(0, pages - 1) }, (_, at) => loadAt(client, query, at + 2, signal)),
  );
  // What is added meanwhile moves the pages: then a document comes twice.
  const byId = new Map([first, ...others].flatMap(({ items }) => items.map((item) => [item.id, item] as const)));
  return { items: [...byId.values()].slice(0, maxMatching), total };
};
