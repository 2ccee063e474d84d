import type { DocumentRecord } from "../domain/records.ts";
import { shownText } from "../text/clean-text.ts";
import type { ReadText } from "./read-source.ts";

const maxCharacters = 255;
const unnamed = "Untitled";

/** A name as taken from a file or page: one line, without control characters, cut to 255 characters; null where nothing is left. */
const tidy = (name: string | null): string | null => {
  if (name === null) return null;
  const line = shownText(name).replace(/\s+/g, " ").trim();
  const cut = line.length <= maxCharacters ? line : [...line].slice(0, maxCharacters).join("").trimEnd();
  return cut === "" ? null : cut;
};

/** The last part of a client's file name: browsers and curl may send a path. */
export const baseName = (fileName: string | null): string | null =>
  tidy(fileName?.split(/[/\\]/).findLast((part) => part.trim() !== "") ?? null);

const nameFromAddress = (address: string): string => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) return unnamed;
  const segment = url.pathname.split("/").findLast((part) => part !== "") ?? "";
  return tidy(decodedOrNull(segment)) ?? tidy(url.host) ?? unnamed;
};

const decodedOrNull = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};

type Origin = Pick<DocumentRecord, "sourceKind" | "originalUrl">;

/** The name of a document that was sent without one, until its source is read. */
export const provisionalName = ({ originalUrl }: Origin, fileName: string | null): string =>
  baseName(fileName) ?? (originalUrl === null ? unnamed : nameFromAddress(originalUrl));

/** The name that a source states: the name of a file, the title of a page. */
export const nameOfSource = (origin: Origin, read: Pick<ReadText, "title" | "fileName">): string => {
  const title = tidy(read.title);
  const fileName = baseName(read.fileName);
  const own = origin.sourceKind === "website" ? (title ?? fileName) : (fileName ?? title);
  return own ?? provisionalName(origin, null);
};
