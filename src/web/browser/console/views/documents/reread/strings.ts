import { counted } from "../../../counted.ts";

/** Texts of reading documents again. */
export const rereadStrings = {
  open: "Read again …",
  titleOne: "Read the document again",
  title: (number: number) => `Read ${counted(number, "document", "documents")} again`,
  file: "It came as a file. The server keeps it, but reads it again only where reading failed. To have it read anew, download the original, delete the document and add the file.",
  files: (number: number) =>
    `${number.toLocaleString()} came as ${number === 1 ? "a file: the server reads it" : "files: the server reads them"} again only where reading failed. Delete and add ${number === 1 ? "it" : "them"} to have ${number === 1 ? "it" : "them"} read anew.`,
  address: "From the address that it came from: what is there now is fetched.",
  addresses: (number: number) =>
    `${counted(number, "is", "are")} fetched again from where ${number === 1 ? "it" : "they"} came from.`,
  retry: "Reading it failed: it is tried again.",
  retries: (number: number) => `${counted(number, "has", "have")} failed: the server tries again.`,
  running: "It is being read already.",
  runningMany: (number: number) => `${counted(number, "is", "are")} being read already.`,
  none: "It came as text: the server has no original to read again. To change it, send the new text.",
  noneMany: (number: number) =>
    `${number.toLocaleString()} came as text: the server has no original of ${number === 1 ? "it, so it stays" : "them, so they stay"} as ${number === 1 ? "it is" : "they are"}.`,
  note: "Until the new text is there, the present one is found; a text that was changed by hand is replaced. Name, partition and metadata stay.",
  start: "Read again",
  startMany: (number: number) => `Read ${number.toLocaleString()} again`,
  cancel: "Cancel",
  close: "Close",
};
