import { counted } from "../../components/words.ts";

/** Texts of the documents view. */
export const documentsStrings = {
  title: "Documents",
  search: "Search names",
  partition: "Partition",
  anyPartition: "Any partition",
  status: "State",
  anyStatus: "Any state",
  statuses: { pending: "Waiting", processing: "Being read", processed: "Ready", failed: "Failed" },
  metadata: "Metadata",
  metadataHelp: "Only documents whose metadata meet this condition.",
  metadataKey: "Field",
  metadataOperator: "Condition",
  metadataValue: "Value",
  metadataHint: 'Numbers, true and false count as such; put text that looks like one in quotes: "2026".',
  metadataOperators: { is: "is", isNot: "is not", atLeast: "is at least", atMost: "is at most" },
  addCondition: "Add the condition",
  removeCondition: (condition: string) => `Remove the condition ${condition}`,
  clearFilters: "Show all documents",
  columns: { name: "Name", size: "Size", added: "Added", state: "State" },
  order: "Order",
  orders: {
    "a-z": "name, A to Z",
    "z-a": "name, Z to A",
    longest: "longest text first",
    shortest: "shortest text first",
    newest: "newest first",
    oldest: "oldest first",
    open: "failed and waiting first",
    done: "ready first",
  },
  orderBy: (column: string, shown: string | null, next: string) =>
    shown === null ? `${column}: order by ${next}` : `${column}, ${shown}: order by ${next}`,
  notOrdered: (total: number, max: number) =>
    `In this order Carrel lists up to ${max.toLocaleString()} documents; ${total.toLocaleString()} match, and are shown by time. Filters leave fewer.`,
  list: "Documents",
  select: (name: string) => `Select ${name}`,
  selectAll: "Select all on this page",
  selected: (number: number) => `${number.toLocaleString()} selected`,
  selectMatching: (total: number, max: number) =>
    total > max
      ? `Select the first ${max.toLocaleString()} of ${total.toLocaleString()} that match`
      : `Select all ${total.toLocaleString()} that match`,
  selecting: "Selecting …",
  clearSelection: "Clear",
  move: "Move to …",
  noPartition: "No partition",
  deleteMany: (number: number) => `Delete ${number.toLocaleString()} documents`,
  deleteManyText:
    "With their passages, originals and metadata. For ten seconds “Undo” brings them back; then they are deleted one after the other. What is deleted cannot be brought back.",
  allHidden: "Every document of this page is being deleted",
  allHiddenText: "What comes after them is shown when they are gone.",
  cancel: "Cancel",
  none: "–",
  pagesOf: (pages: number) => counted(pages, "page", "pages"),
  tokens: (tokens: number) => counted(tokens, "token", "tokens"),
  tokensShort: (tokens: number) =>
    `${tokens.toLocaleString(undefined, { notation: "compact" })} ${tokens === 1 ? "token" : "tokens"}`,
  newer: (number: number) => `${counted(number, "new document", "new documents")}: show`,
  nothingFound: "No document matches",
  nothingFoundText: "Other words, or fewer filters, show more.",
  range: (from: number, to: number, total: number) =>
    `${from.toLocaleString()}–${to.toLocaleString()} of ${total.toLocaleString()}`,
  pages: "Pages of the list",
  previous: "Previous",
  next: "Next",
  commands: {
    search: "Search documents by name",
    nextRow: "Next document",
    previousRow: "Previous document",
    selectRow: "Select the document",
  },
};
