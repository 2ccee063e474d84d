import { invalidField } from "../domain/errors.ts";
import type { DocumentRecord } from "../domain/records.ts";
import type { FoundSnippet } from "../retrieval/contract.ts";

/** How a client is told of the sources: the values of `X-Carrel-Sources`. */
export const sourceWays = ["annotations", "open-webui", "text", "none"] as const;
export type SourceWay = (typeof sourceWays)[number];

/** @throws ApiError invalid_request */
export const readSourceWay = (header: string | null): SourceWay => {
  const value = header?.trim() || "annotations";
  const way = sourceWays.find((one) => one === value);
  if (way === undefined) throw invalidField("X-Carrel-Sources", `must be one of ${sourceWays.join(", ")}`);
  return way;
};

type Source = Pick<FoundSnippet, "id" | "documentId" | "text" | "page" | "score">;

/** What an answer is made from. */
export interface Found {
  snippets: readonly Source[];
  documents: readonly Pick<DocumentRecord, "id" | "name">[];
}

const namesOf = ({ documents }: Found): Map<string, string> => new Map(documents.map(({ id, name }) => [id, name]));

const documentUrl = (baseUrl: string, id: string): string => `${baseUrl}/documents/${id}`;
const snippetUrl = (baseUrl: string, { id, documentId }: Source): string =>
  `${documentUrl(baseUrl, documentId)}?snippet=${id}`;

interface UrlCitation {
  start_index: number;
  end_index: number;
  url: string;
  title: string;
}

/**
 * A citation for each snippet in the order of their marks, at the first place of its mark (UTF-16 code units); at the end of
 * the content for one that is not cited.
 */
export const citations = (content: string, found: Found, baseUrl: string): UrlCitation[] => {
  const names = namesOf(found);
  return found.snippets.map((snippet, index) => {
    const mark = `[${index + 1}]`;
    const at = content.indexOf(mark);
    return {
      start_index: at < 0 ? content.length : at,
      end_index: at < 0 ? content.length : at + mark.length,
      url: snippetUrl(baseUrl, snippet),
      title: names.get(snippet.documentId) ?? "",
    };
  });
};

/** The cited sources as text to end an answer with; empty where none is cited. */
export const sourceList = (content: string, found: Found, baseUrl: string): string => {
  const names = namesOf(found);
  const lines = found.snippets.flatMap((snippet, index) => {
    const mark = `[${index + 1}]`;
    if (!content.includes(mark)) return [];
    const page = snippet.page === null ? "" : `, p. ${snippet.page}`;
    const name = (names.get(snippet.documentId) ?? "").replace(/\s+/g, " ");
    return [`${mark} ${name}${page} <${snippetUrl(baseUrl, snippet)}>`];
  });
  // A blank line between them: Markdown would join the lines.
  return lines.length === 0 ? "" : `\n\n${lines.join("\n\n")}`;
};

const listed = /^\[\d{1,3}\] .*\?snippet=[\w-]+>$/;

/** An answer that a client sends back, without the list that it was ended with. */
export const withoutSourceList = (text: string): string => {
  const lines = text.trimEnd().split("\n");
  let end = lines.length;
  while (end > 0 && (lines[end - 1]?.trim() === "" || listed.test(lines[end - 1] ?? ""))) end -= 1;
  return end === lines.length ? text : lines.slice(0, end).join("\n");
};

/** The snippets as events that Open WebUI shows and keeps. */
export const openWebUiEvents = (found: Found, baseUrl: string) => {
  const names = namesOf(found);
  return found.snippets.map(({ documentId, text, page, score }, index) => {
    const name = names.get(documentId) ?? "";
    return {
      type: "source",
      data: {
        source: { id: documentId, name, url: documentUrl(baseUrl, documentId) },
        document: [text],
        // Open WebUI counts pages from zero.
        metadata: [{ source: `${documentId}#${index + 1}`, name, ...(page === null ? {} : { page: page - 1 }) }],
        distances: [score],
      },
    };
  });
};
