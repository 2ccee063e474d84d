import { counted } from "../../components/words.ts";
import { addingStrings } from "./adding/strings.ts";
import { rereadStrings } from "./record/reread-strings.ts";

/** Texts of the documents view. */
export const documentsStrings = {
  title: "Documents",
  adding: addingStrings,
  reread: rereadStrings,
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
  moving: "Moving documents",
  moved: (number: number) => `${counted(number, "document", "documents")} moved.`,
  retry: "Try again",
  retrying: "Having documents read again",
  retried: (number: number) => `${counted(number, "document is", "documents are")} read again.`,
  nothingToRetry: "None of these failed: there is nothing to try again.",
  notAll: (failed: number, all: number, why: string) => `${failed} of ${all} could not be changed: ${why}`,
  stopped: (done: number, all: number) =>
    `Stopped: ${done.toLocaleString()} of ${all.toLocaleString()} were done, the others are as they were.`,
  delete: "Delete",
  deleting: "Deleting documents",
  deleteMany: (number: number) => `Delete ${number.toLocaleString()} documents`,
  deleteManyText:
    "With their passages, originals and metadata. For ten seconds “Undo” brings them back; then they are deleted one after the other. What is deleted cannot be brought back.",
  allHidden: "Every document of this page is being deleted",
  allHiddenText: "What comes after them is shown when they are gone.",
  deleted: (number: number) => `${counted(number, "document", "documents")} deleted.`,
  deletedOne: (name: string) => `“${name}” deleted.`,
  cancel: "Cancel",
  how: "How",
  whatHappened: "What the server says",
  whatToDo: "What to do",
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
  state: {
    pending: "waiting",
    reading: "reading",
    share: (percent: number) => `reading ${percent} %`,
    pages: (pages: number) => `${counted(pages, "page", "pages")} read`,
    passages: (done: number, all: number) =>
      `${done.toLocaleString()} of ${counted(all, "passage", "passages")} can be found`,
    ready: "ready",
    readyWith: (warnings: number) => `ready, ${counted(warnings, "warning", "warnings")}`,
    cancelled: "cancelled",
  },
  failures: {
    needsOcr: {
      text: "only pictures: install tesseract",
      remedy: [
        "Install the program tesseract on the server: `apt install tesseract-ocr` on Debian and Ubuntu, `brew install tesseract` on a Mac. For other languages than English, its language packages too, such as tesseract-ocr-deu.",
        "Start Carrel again, then choose “Try again”. An Unstructured server does it too (setting parser.baseUrl).",
      ],
    },
    locked: {
      text: "locked with a password",
      remedy: ["Open the file with its password, save a copy without one, and add the copy."],
    },
    protected: {
      text: "locked by its seller",
      remedy: ["A book with copy protection cannot be read. Ask the seller for a copy without it."],
    },
    noText: {
      text: "no text in it",
      remedy: ["Open the file and look whether it holds text. If it does, save it in another format and add that."],
    },
    oldFormat: {
      text: "old format",
      remedy: [
        "Save the file in the new format (.docx, .xlsx, .pptx), and add that. Unstructured reads old files too.",
      ],
    },
    unknownType: {
      text: "a file type that is not read",
      remedy: ["The guide to formats lists what is read. Save the file as PDF, or as text, and add that."],
    },
    tooLarge: {
      text: "too large",
      remedy: ["Split the file and add its parts, or raise the limit that the message names in the server's settings."],
    },
    tooSlow: {
      text: "took too long",
      remedy: ["Try again when the server has less to do. If it fails again, split the file."],
    },
    broken: {
      text: "the file is broken",
      remedy: [
        "Open the file in its own program. If it opens, save it anew and add that.",
        "If it does not, get the file again from where it came.",
      ],
    },
    notFetched: {
      text: "could not be fetched",
      remedy: ["Open the address in a browser. If it opens there, try again, or save the page and add the file."],
    },
    other: {
      text: "not read",
      remedy: ["Try again. If it fails again, the server's log has the cause under the document's id."],
    },
  },
};
