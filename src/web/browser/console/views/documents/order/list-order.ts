import type { Document as DocumentRecord } from "../../../../shared/api.ts";

/** The columns that a list can be ordered by, each with its two orders; the first is the one that a click begins with. */
export const ordersOf = {
  name: ["a-z", "z-a"],
  size: ["longest", "shortest"],
  added: ["newest", "oldest"],
  state: ["open", "done"],
} as const;

export type OrderColumn = keyof typeof ordersOf;
export type ListOrder = (typeof ordersOf)[OrderColumn][number];

export const columns = Object.keys(ordersOf) as OrderColumn[];
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
