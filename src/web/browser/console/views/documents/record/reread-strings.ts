import { counted } from "../../../components/words.ts";

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
