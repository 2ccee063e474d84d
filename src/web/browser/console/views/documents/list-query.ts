import type { Document as DocumentRecord, DocumentStatus } from "../../../shared/api.ts";

/** What the list of documents shows: the address of the view holds it, so that a reload and "back" keep it. */
export interface ListQuery {
  /** Text that the name contains; empty: any. */
  search: string;
  /** Empty: any. */
  partitionId: string;
  status: DocumentStatus | "";
  /** A metadata filter of the API, as JSON text; empty: none. */
  metadata: string;
  order: ListOrder;
  /** From 1. */
  page: number;
}

/** The most that the API gives at once. */
export const pageRows = 100;

export const statuses: readonly DocumentStatus[] = ["pending", "processing", "processed", "failed"];

export const wholeList: ListQuery = {
  search: "",
  partitionId: "",
  status: "",
  metadata: "",
  order: "newest",
  page: 1,
};

/** @param query as in the address; what is wrong there is left out */
export const readListQuery = (query: Readonly<Record<string, string>>): ListQuery => ({
  search: query.search ?? "",
  partitionId: query.partition ?? "",
  status: statuses.find((status) => status === query.state) ?? "",
  metadata: query.metadata ?? "",
  order: orders.find((order) => order === query.order) ?? wholeList.order,
  page: Math.max(1, Math.trunc(Number(query.page)) || 1),
});

/** The address of a list. */
export const listAddress = ({ search, partitionId, status, metadata, order, page }: ListQuery): string => {
  const values = {
    search,
    partition: partitionId,
    state: status,
    metadata,
    order: order === wholeList.order ? "" : order,
    page: page > 1 ? String(page) : "",
  };
  const given = Object.entries(values).filter(([, value]) => value !== "");
  return given.length === 0 ? "/documents" : `/documents?${new URLSearchParams(given)}`;
};

/** The parameters of `GET /api/document`; it knows the orders by time alone. */
export const listRequest = ({
  search,
  partitionId,
  status,
  metadata,
  order,
  page,
}: ListQuery): Record<string, string | number> => ({
  searchValue: search,
  partitionId,
  status,
  metadata,
  sortOrder: order === "oldest" ? "asc" : "",
  limit: pageRows,
  skip: (page - 1) * pageRows,
});

/** Whether only some of the documents are asked for. */
export const isFiltered = ({ search, partitionId, status, metadata }: ListQuery): boolean =>
  [search, partitionId, status, metadata].some((value) => value !== "");

/** The documents that a list is of, whatever its order and page: what was selected of them stays selected. */
export const filtersOf = (query: ListQuery): string => listAddress({ ...query, order: wholeList.order, page: 1 });

/** The columns that a list can be ordered by, each with its two orders; the first is the one that a click begins with. */
export const ordersOf = {
  name: ["a-z", "z-a"],
  size: ["longest", "shortest"],
  added: ["newest", "oldest"],
  state: ["open", "done"],
} as const;

export type OrderColumn = keyof typeof ordersOf;
export type ListOrder = (typeof ordersOf)[OrderColumn][number];

const columns = Object.keys(ordersOf) as OrderColumn[];
export const orders: readonly ListOrder[] = columns.flatMap((column) => ordersOf[column]);

/** The order that a click on the head of a column leads to. */
export const nextOrder = (column: OrderColumn, shown: ListOrder): ListOrder => {
  const [first, second] = ordersOf[column];
  return shown === first ? second : first;
};

/** Whether the API gives documents in this order. The others are made here, of all that match. */
export const isByTime = (order: ListOrder): boolean => order === "newest" || order === "oldest";

type Compare = (a: DocumentRecord, b: DocumentRecord) => number;

/** As people read them: "part 2" before "part 10", "Ä" beside "a". */
const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
/** What somebody has to look at comes first: failures, then what is not read yet. */
const rank: Record<DocumentRecord["status"], number> = { failed: 0, processing: 1, pending: 2, processed: 3 };

const byName: Compare = (a, b) => compare(a.name, b.name);
const bySize: Compare = (a, b) => (b.tokens ?? 0) - (a.tokens ?? 0);
const byState: Compare = (a, b) => rank[a.status] - rank[b.status] || b.warnings.length - a.warnings.length;

const turned =
  (order: Compare): Compare =>
  (a, b) =>
    order(b, a);

const compares: Record<Exclude<ListOrder, "newest" | "oldest">, Compare> = {
  "a-z": byName,
  "z-a": turned(byName),
  longest: bySize,
  shortest: turned(bySize),
  open: byState,
  done: turned(byState),
};

/** @param documents newest first; those that are alike stay in that order */
export const sortDocuments = (documents: readonly DocumentRecord[], order: ListOrder): DocumentRecord[] => {
  if (order === "newest") return [...documents];
  if (order === "oldest") return documents.toReversed();
  return documents.toSorted(compares[order]);
};
