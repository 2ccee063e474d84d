import type { Document as DocumentRecord, DocumentSnippet, PageReached } from "../../../../shared/api.ts";
import { recordStrings } from "./strings.ts";

const words = recordStrings.state;

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

type FailureKind = keyof typeof recordStrings.failures;

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
  return { kind, ...recordStrings.failures[kind] };
};

/**
 * How an original is shown. `file`: as a download only, since a browser could run it (HTML, SVG) or cannot show it.
 * `fetched`: it is at an address of its own. `none`: it came as text.
 */
type OriginalKind = "pdf" | "picture" | "file" | "fetched" | "none";

/** Pictures that browsers show and that hold no scripts. */
const pictures: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp"];

type Original = Pick<DocumentRecord, "originalUrl" | "mimeType" | "id">;

export const originalKind = ({ originalUrl, mimeType, id }: Original): OriginalKind => {
  if (originalUrl === null) return "none";
  if (!originalUrl.endsWith(`/api/document/${id}/file`)) return "fetched";
  if (mimeType === "application/pdf") return "pdf";
  return mimeType !== null && pictures.includes(mimeType) ? "picture" : "file";
};

/** The passage or page of a document that a link leads to. */
interface Passage {
  /** Page of the original, from 1. */
  page?: number | null;
  /** Characters of the document's text: the first, and the one after the last. */
  start?: number | null;
  end?: number | null;
  /** Id of the passage, where its place is not known. */
  snippet?: string | null;
}

/** The address of a document in the console, at a page or passage of it. */
export const documentLink = (documentId: string, { page, start, end, snippet }: Passage = {}): string => {
  const given = Object.entries({ page, start, end, snippet }).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  const query = given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
  return `/documents/${encodeURIComponent(documentId)}${query}`;
};

/** What the address of a document asks to show. */
export interface WantedPassage {
  page: number | null;
  /** Characters of the text; null where none, or none that the text has, are asked for. */
  range: { start: number; end: number } | null;
}

const wholeNumber = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : null;

/** @param query of the address: `page`, `start`, `end`, or the id of a `snippet`, as answers in OpenAI's form link to it */
export const wantedPassage = (
  query: Readonly<Record<string, string>>,
  text: string,
  snippets: readonly Pick<DocumentSnippet, "id" | "start" | "end" | "page">[],
): WantedPassage => {
  const named = snippets.find(({ id }) => id === query.snippet);
  const start = named?.start ?? wholeNumber(query.start);
  const end = named?.end ?? wholeNumber(query.end);
  const range = start !== null && end !== null && start < end && end <= text.length ? { start, end } : null;
  const around = range === null ? undefined : snippets.find((snippet) => snippet.end > range.start);
  const page = wholeNumber(query.page) ?? around?.page ?? null;
  return { page: page === 0 ? null : page, range };
};

/**
 * What a document is read again from: its `file`, what is at its `address` now, or its `text`. `failed`: reading it failed,
 * and is tried again from the same. `running`: it is being read, and cannot be read again.
 */
type RereadSource = "file" | "address" | "text" | "failed" | "running";

type Readable = Pick<DocumentRecord, "id" | "status" | "originalUrl" | "mimeType">;

const rereadSource = (shown: Readable): RereadSource => {
  if (shown.status === "failed") return "failed";
  if (shown.status !== "processed") return "running";
  const kind = originalKind(shown);
  if (kind === "none") return "text";
  return kind === "fetched" ? "address" : "file";
};

export const isReadable = (shown: Readable): boolean => rereadSource(shown) !== "running";

/** How many there are of each source. */
export const countSources = (documents: readonly Readable[]): Record<RereadSource, number> => {
  const counts = { file: 0, address: 0, text: 0, failed: 0, running: 0 };
  for (const each of documents) counts[rereadSource(each)] += 1;
  return counts;
};
