import type { DocumentRecord } from "../../domain/records.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";
import { dateOf, firstDateIn } from "../../text/dates.ts";

/** Names of metadata that date a document. */
const dated =
  /^(?:date|created|createdat|created_at|published|updated|modified|valid(?:from|_from)|datum|fecha|data|дата|tarih|日期|日付)$/i;
/** Characters at the beginning of a text in which its date stands. */
const headCharacters = 400;

/**
 * When a document is from, as epoch milliseconds: by its metadata, its name, the beginning of its text, else when it came.
 * @param snippets of several documents; its first one tells the beginning of its text
 */
export const documentDate = (
  { id, name, metadata, createdAt }: Pick<DocumentRecord, "id" | "name" | "metadata" | "createdAt">,
  snippets: readonly FoundSnippet[],
): number => {
  for (const [key, value] of Object.entries(metadata ?? {})) {
    const date = dated.test(key) && typeof value === "string" ? (dateOf(value) ?? dateOf(value.slice(0, 10))) : null;
    if (date !== null) return date;
  }
  const first = snippets.find(({ documentId, position }) => documentId === id && position === 0);
  return (
    firstDateIn(name) ?? (first === undefined ? null : firstDateIn(first.text.slice(0, headCharacters))) ?? createdAt
  );
};
