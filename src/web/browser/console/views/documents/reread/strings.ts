const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`;

/** Texts of reading documents again. */
export const rereadStrings = {
  open: "Read again …",
  titleOne: "Read the document again",
  title: (number: number) => `Read ${count(number, "document", "documents")} again`,
  file: "From the file that the server kept.",
  files: (number: number) =>
    `${count(number, "is", "are")} read from the ${number === 1 ? "file" : "files"} that the server kept.`,
  address: "From the address that it came from: what is there now is fetched.",
  addresses: (number: number) =>
    `${count(number, "is", "are")} fetched again from where ${number === 1 ? "it" : "they"} came from.`,
  retry: "Reading it failed: it is tried again.",
  retries: (number: number) => `${count(number, "has", "have")} failed: the server tries again.`,
  running: "It is being read already.",
  runningMany: (number: number) => `${count(number, "is", "are")} being read already.`,
  none: "It came as text: the server has no original to read again. To change it, send the new text.",
  noneMany: (number: number) =>
    `${number.toLocaleString()} came as text: the server has no original of ${number === 1 ? "it, so it stays" : "them, so they stay"} as ${number === 1 ? "it is" : "they are"}.`,
  note: "Worth it after tesseract or another parser was set up, or when a page has changed. Until the new text is there, the present one is found; a text that was changed by hand is replaced. Name, partition and metadata stay.",
  start: "Read again",
  startMany: (number: number) => `Read ${number.toLocaleString()} again`,
  cancel: "Cancel",
  close: "Close",
};
