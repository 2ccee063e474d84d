import type { Document as DocumentRecord } from "../../../shared/api.ts";
import { documentsStrings } from "./strings.ts";

const words = documentsStrings.state;

export interface DocumentWords {
  mood: "good" | "wait" | "bad" | "quiet";
  /** The state in a few words. */
  text: string;
}

export type StateFields = Pick<DocumentRecord, "status" | "error" | "progress" | "warnings">;

/** How a document is, in words and numbers. */
export const documentWords = ({ status, error, progress, warnings }: StateFields): DocumentWords => {
  switch (status) {
    case "pending":
      return { mood: "wait", text: words.pending };
    case "processing":
      return { mood: "wait", text: readingWords(progress) };
    case "processed":
      return { mood: "good", text: warnings.length === 0 ? words.ready : words.readyWith(warnings.length) };
    case "failed":
      return error === "cancelled"
        ? { mood: "quiet", text: words.cancelled }
        : { mood: "bad", text: failureOf(error ?? "").text };
  }
};

/** How far reading has come: pages are known when the file is read, passages when its text is cut. */
const readingWords = ({ pages, chunks, embedded }: DocumentRecord["progress"]): string => {
  if (chunks > 0) return words.passages(embedded, chunks);
  return pages > 0 ? words.pages(pages) : words.reading;
};

export type FailureKind = keyof typeof documentsStrings.failures;

/** By what the server's message says; the first that fits. */
const kinds: readonly [RegExp, FailureKind][] = [
  [/needs OCR|tesseract program/, "needsOcr"],
  [/locked with a password/, "locked"],
  [/\(DRM\)/, "protected"],
  [/^Files of type|files of this type/, "unknownType"],
  [/is empty|no text/i, "noText"],
  [/^Old |old compound format|\.xlsb|LibreOffice/, "oldFormat"],
  [/in time|took longer|too long/i, "tooSlow"],
  [/too much|larger than|longer than|more than|multiply/i, "tooLarge"],
  [/broken|cut off|no valid JSON|is JSON|no table|could not be read as/i, "broken"],
  [/robots\.txt|fetched|answered|no such host|address/i, "notFetched"],
];

/** Why a document failed in a few words, and what to do about it. @param error the server's message */
export const failureOf = (error: string): { kind: FailureKind; text: string; remedy: readonly string[] } => {
  const kind = kinds.find(([pattern]) => pattern.test(error))?.[1] ?? "other";
  return { kind, ...documentsStrings.failures[kind] };
};
