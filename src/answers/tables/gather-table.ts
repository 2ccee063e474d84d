import { type DocumentRecord, maxQuestionCharacters, type Tenant } from "../../domain/records.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";
import type { Store } from "../../store/contract.ts";
import { standsForEarlier } from "../follow-up/refers-back.ts";
import type { Ask } from "../reading/ask.ts";
import type { Question } from "../reading/question.ts";
import { documentDate } from "./document-date.ts";
import { tablesAt } from "./document-table.ts";
import { answerFromTable, type TableAnswer } from "./table-answer.ts";

/** Snippets whose tables are looked at, and documents whose text is read for them. */
const maxSnippets = 8;
const maxDocuments = 2;
/** Questions before it that may name the row that is asked about. */
const maxEarlier = 3;
/** A table further down answers only where the question names values or groups of it: "who hasn't paid yet". */
const maxOfWholeTable = 4;

/** A table's answer, and the snippet that the table was reached from. */
export interface FoundInTable extends TableAnswer {
  snippet: FoundSnippet;
  document: DocumentRecord;
}

/**
 * The answer of the table that the best snippets are a part of: of the whole table, as it stands in its document.
 * @param snippets best first
 * @returns null where none of them is a part of a table that says it
 */
export const gatherTable = async (
  store: Pick<Store, "documents">,
  tenant: Tenant,
  snippets: readonly FoundSnippet[],
  { question, wishes }: Pick<Ask, "question" | "wishes">,
  history: Question["history"],
): Promise<FoundInTable | null> => {
  const near = snippets.slice(0, maxSnippets);
  const looked = [...near.filter(isOfTable), ...near.filter((each) => !isOfTable(each) && mayHoldTable(each))];
  const ids = [...new Set(looked.map(({ documentId }) => documentId))].slice(0, maxDocuments);
  if (ids.length === 0) return null;
  const documents = await store.documents.getMany(tenant, ids);
  const earlier = history
    .filter(({ role }) => role === "user")
    .slice(-maxEarlier)
    .map(({ text }) => text.slice(0, maxQuestionCharacters))
    .reverse();
  const isOfEarlier = earlier.length > 0 && standsForEarlier(question);
  const found: FoundInTable[] = [];
  for (const document of documents) {
    const text = await store.documents.getText(document);
    if (text === null) continue;
    const seen = new Set<number>();
    const beside = linesBeside(near.filter(({ documentId }) => documentId === document.id));
    for (const snippet of looked.filter(({ documentId }) => documentId === document.id)) {
      for (const table of tablesAt(text, snippet.start, snippet.end)) {
        if (seen.has(table.start)) continue;
        seen.add(table.start);
        const over = headingBefore(text, table.start);
        const about = [document.name, ...snippet.headings, over].join("\n");
        const answer = answerFromTable(table, question, wishes, about, { beside, over, earlier, isOfEarlier });
        const isNear = near.indexOf(snippet) < maxOfWholeTable;
        if (answer === null || !(isNear || answer.conditions.length > 0)) continue;
        // What is doubtful is told of the nearest document alone.
        if (answer.isOfSubject || document.id === near[0]?.documentId) found.push({ ...answer, snippet, document });
      }
    }
  }
  // Of two tables that fit alike the one of the better snippet.
  const isBetter = (one: FoundInTable, other: FoundInTable): boolean => {
    if (one.isOfSubject !== other.isOfSubject) return one.isOfSubject;
    if (one.fit !== other.fit) return one.fit > other.fit;
    // Tables with one head are versions of each other: the newer one holds.
    const areVersions = one.document !== other.document && one.table.head.join("\n") === other.table.head.join("\n");
    return areVersions && documentDate(one.document, snippets) > documentDate(other.document, snippets);
  };
  return found.reduce<FoundInTable | null>((best, each) => (best === null || isBetter(each, best) ? each : best), null);
};

const isOfTable = ({ text, context }: FoundSnippet): boolean => context !== "" || text.includes("|");

/** A line with two separators or more may be one of a table that came as text. */
const mayHoldTable = ({ text }: FoundSnippet): boolean =>
  text
    .slice(0, 4_000)
    .split("\n")
    .some((line) => (line.match(/[,;\t]/g)?.length ?? 0) > 1);

/** Lines of these snippets that are of no table. */
const linesBeside = (snippets: readonly FoundSnippet[]): string[] =>
  snippets.flatMap(({ text }) => text.split("\n")).filter((line) => !line.includes("|") && !isOfValues(line));

const isOfValues = (line: string): boolean => (line.match(/[,;\t](?! )/g)?.length ?? 0) > 1;

/** The heading that a table stands under, or the line before it. */
const headingBefore = (text: string, start: number): string =>
  text
    .slice(Math.max(0, start - 400), start)
    .trimEnd()
    .split("\n")
    .slice(-1)
    .join("")
    .slice(0, 200);
