import type { Document as DocumentRecord } from "../../../shared/api.ts";
import { isByTime, type ListQuery, listRequest, pageRows, sortDocuments } from "./list-query.ts";

/**
 * So many documents are ordered, and chosen together, at most: ten answers of the API. Each of them is about 1 KB, and a
 * change of all is a request for each.
 */
export const maxMatching = 1_000;

/** What is needed of the client: a list of the API. */
interface Lists {
  list<Item>(
    path: string,
    query: Record<string, string | number>,
    signal?: AbortSignal,
  ): Promise<{ items: Item[]; total: number | null }>;
}

interface Matching {
  /** In the query's order by time, newest first for the others; at most `maxMatching`. */
  items: DocumentRecord[];
  /** All that match. */
  total: number;
}

const loadAt = (client: Lists, query: ListQuery, page: number, signal: AbortSignal | undefined) =>
  client.list<DocumentRecord>("/api/document", listRequest({ ...query, page }), signal);

type First = Awaited<ReturnType<typeof loadAt>>;

/** The first page of what matches the filters of a list, whatever its own page: it tells how many match. */
const loadFirst = (client: Lists, query: ListQuery, signal?: AbortSignal): Promise<First> =>
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

interface ListPage {
  items: readonly DocumentRecord[];
  total: number | null;
}

/**
 * A page of the list in its order. The API orders by time alone: for the other orders all that match are loaded and
 * ordered here. More than `maxMatching` come by time, whatever the order that is asked for.
 */
export const loadPage = async (client: Lists, query: ListQuery, signal: AbortSignal): Promise<ListPage> => {
  if (!isByTime(query.order)) {
    const first = await loadFirst(client, query, signal);
    if ((first.total ?? 0) <= maxMatching) {
      const { items, total } = await loadMatching(client, query, signal, first);
      const start = (query.page - 1) * pageRows;
      return { items: sortDocuments(items, query.order).slice(start, start + pageRows), total };
    }
  }
  return await client.list<DocumentRecord>("/api/document", listRequest(query), signal);
};

interface Row {
  id: string;
}

interface MergedRows<T extends Row> {
  rows: readonly T[];
  /** Rows that were loaded and are not shown, since that would move what is. */
  newer: number;
}

/**
 * What a list shows after it was loaded again. Nothing moves under a reader's hand: while the list is held, every row
 * stays where it is with its new content, and rows that came are counted only.
 */
export const mergeRows = <T extends Row>(shown: readonly T[], loaded: readonly T[], isHeld: boolean): MergedRows<T> => {
  if (!isHeld || shown.length === 0) return { rows: loaded, newer: 0 };
  const byId = new Map(loaded.map((row) => [row.id, row]));
  const known = new Set(shown.map(({ id }) => id));
  return {
    rows: shown.map((row) => byId.get(row.id) ?? row),
    newer: loaded.filter(({ id }) => !known.has(id)).length,
  };
};
