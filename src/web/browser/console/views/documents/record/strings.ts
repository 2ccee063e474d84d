import { counted } from "../../../components/words.ts";

/** Texts of a document and of what is done with it, in any view. */
export const recordStrings = {
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
  deleted: (number: number) => `${counted(number, "document", "documents")} deleted.`,
  deletedOne: (name: string) => `“${name}” deleted.`,
  how: "How",
  whatHappened: "What the server says",
  whatToDo: "What to do",
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

/** Texts of reading documents again. */
export const rereadStrings = {
  open: "Read again …",
  titleOne: "Read the document again",
  title: (number: number) => `Read ${counted(number, "document", "documents")} again`,
  file: "From its file, with the parser and the settings that the server has today.",
  files: (number: number) =>
    `${counted(number, "is", "are")} read again from ${number === 1 ? "its file" : "their files"}, with the parser and the settings that the server has today.`,
  address: "From the address that it came from: what is there now is fetched.",
  addresses: (number: number) =>
    `${counted(number, "is", "are")} fetched again from where ${number === 1 ? "it" : "they"} came from.`,
  text: "It came as text: that is cut into passages again, with the settings that the server has today.",
  texts: (number: number) =>
    `${counted(number, "came", "came")} as text: ${number === 1 ? "it is" : "they are"} cut into passages again.`,
  failed: "Reading it failed: it is tried again.",
  failedMany: (number: number) => `${counted(number, "has", "have")} failed: the server tries again.`,
  running: "It is being read already.",
  runningMany: (number: number) =>
    `${counted(number, "is", "are")} being read already and ${number === 1 ? "stays as it is" : "stay as they are"}.`,
  note: "What is there now is found until the new text is, and stays where reading fails. Name, partition and metadata stay.",
  replaced: "A text that was changed by hand is replaced.",
  start: "Read again",
  startMany: (number: number) => `Read ${number.toLocaleString()} again`,
  cancel: "Cancel",
  close: "Close",
};
