import type { Document as DocumentRecord, PageReached } from "../../../shared/api.ts";
import { documentsStrings } from "./strings.ts";

const words = documentsStrings.state;

interface DocumentWords {
  mood: "good" | "wait" | "bad" | "quiet";
  /** The state in a few words. */
  text: string;
}

interface StateFields extends Pick<DocumentRecord, "status" | "error" | "progress" | "warnings"> {
  reading?: PageReached | null;
}

/** Data of an event of `GET /api/document/:id/events`. */
export type StatusChange = Pick<StateFields, "status" | "error" | "progress" | "reading">;

/** How a document is, in words and numbers. */
export const documentWords = ({ status, error, progress, warnings, reading = null }: StateFields): DocumentWords => {
  switch (status) {
    case "pending":
      return { mood: "wait", text: words.pending };
    case "processing":
      return { mood: "wait", text: readingWords(progress, reading) };
    case "processed":
      return { mood: "good", text: warnings.length === 0 ? words.ready : words.readyWith(warnings.length) };
    case "failed":
      return error === "cancelled"
        ? { mood: "quiet", text: words.cancelled }
        : { mood: "bad", text: failureOf(error ?? "").text };
  }
};

/** While the last page is read, and after it, there is still something to do. */
const maxPercent = 99;

/** How far reading has come: its share while pages are read, passages when the text is cut. */
const readingWords = ({ pages, chunks, embedded }: DocumentRecord["progress"], reading: PageReached | null): string => {
  if (reading !== null)
    return words.share(Math.min(maxPercent, Math.floor((100 * reading.page) / Math.max(1, reading.pages))));
  if (chunks > 0) return words.passages(embedded, chunks);
  return pages > 0 ? words.pages(pages) : words.reading;
};

type FailureKind = keyof typeof documentsStrings.failures;

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
