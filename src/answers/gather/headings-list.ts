import type { Tenant } from "../../domain/records.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";
import { withNameForms } from "../../retrieval/scores/document-names.ts";
import type { Store } from "../../store/contract.ts";
import { analyze, analyzeQuery, formsByWord } from "../../text/analysis/analyze.ts";
import { blocksOf } from "../../text/chunk/blocks.ts";
import { readable } from "../quote/readable.ts";

/** Headings that make a list, at least and at most. */
const minHeadings = 3;
const maxHeadings = 60;
/** A text that is read for its headings, in characters. */
const maxCharacters = 2_000_000;

/**
 * The headings of a document that is a list of what its name says: "How many recipes does Aunt Trude have?" of "Recipes of
 * Aunt Trude". Only where all words of the question stand in the document's name or title.
 * @returns the headings and the snippet that stands for the document; null where it is no such list
 */
export const headingsList = async (
  store: Pick<Store, "documents">,
  tenant: Tenant,
  snippets: readonly FoundSnippet[],
  question: string,
): Promise<{ headings: string[]; snippet: FoundSnippet } | null> => {
  const [snippet] = snippets;
  if (snippet === undefined) return null;
  const document = await store.documents.get(tenant, snippet.documentId);
  if (document === null) return null;
  const name = new Set(analyze(`${document.name.replace(/\.\p{L}{1,5}$/u, "")}\n${snippet.headings[0] ?? ""}`));
  const words = formsByWord(withNameForms(analyzeQuery(question).terms, question));
  if (words.length < 2 || !words.every((forms) => forms.some((form) => name.has(form)))) return null;
  const text = await store.documents.getText(document);
  if (text === null || text.length > maxCharacters) return null;
  const found = [...blocksOf(text)].filter(({ kind }) => kind === "heading");
  for (const level of [1, 2, 3]) {
    const headings = found.filter((block) => block.level === level).map(({ title }) => readable(title));
    if (headings.length > maxHeadings) return null;
    if (headings.length >= minHeadings) return { headings, snippet };
  }
  return null;
};
