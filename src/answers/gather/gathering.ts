import type { Config } from "../../../config/schema.ts";
import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import type { FoundSnippet, Retrieval, RetrievalRequest } from "../../retrieval/contract.ts";
import type { DocumentFilter, SearchScope, Store } from "../../store/contract.ts";
import type { PassageModel } from "../quote/nearness.ts";
import type { Ask } from "../reading/ask.ts";
import type { Question } from "../reading/question.ts";
import type { FoundInTable } from "../tables/gather-table.ts";
import { answerLanguage } from "../wording/no-answer.ts";
import type { QuestionLanguage } from "../wording/question-language.ts";
import type { TranslatingDependencies } from "./other-language.ts";

export interface GatherDependencies extends TranslatingDependencies {
  config: Pick<Config, "answers" | "models">;
  store: Pick<Store, "documents" | "openSnippets">;
  retrieve(tenant: Tenant, request: RetrievalRequest, signal: AbortSignal): Promise<Retrieval>;
  /** The built-in static model, which compares sentences with a question at no cost to speak of. */
  passageModel: PassageModel;
  /** The built-in model that is configured: it knows other words for the same, and may take its time. */
  meaningModel: PassageModel;
}

/** An ask that is being answered, and what with. */
export interface Gathering {
  deps: GatherDependencies;
  tenant: Tenant;
  question: Question;
  ask: Ask;
  /** The document of the scope, if it names one. */
  document: DocumentRecord | null;
  signal: AbortSignal;
}

/** What an ask is answered from. */
export interface Gathered {
  /** What was searched, and the snippets that the answer is made from. */
  retrieval: Retrieval;
  /** Documents that the answer names, where it has no snippets. */
  documents: DocumentRecord[];
  /** The answer without a model, from the snippets that were kept. */
  quote(snippets: readonly FoundSnippet[]): Promise<string>;
  /** `quote` writes the answer, whichever model is configured: nothing is left to a model. */
  isComplete: boolean;
  /** What a table says to it, and the same in words for a model. */
  inTable: FoundInTable | null;
  /** Of the documents of what retrieval found, by id; null where they were not read. */
  records: ReadonlyMap<string, DocumentRecord> | null;
}

/** The language of what Carrel says itself. @param documents texts of what was found, which tell it where the ask does not */
export const languageFor = ({ question, ask }: Gathering, documents: readonly string[]): QuestionLanguage =>
  answerLanguage(question.query, {
    cues: ask.languages,
    before: question.history
      .filter(({ role }) => role === "user")
      .map(({ text }) => text)
      .reverse(),
    documents,
  });

export const textsOf = (snippets: readonly FoundSnippet[]): string[] => snippets.slice(0, 2).map(({ text }) => text);

/** Passages that answer an ask that nothing was searched for. @param documents how many were looked at */
export const ofPassages = (
  question: Question,
  snippets: FoundSnippet[],
  documents: number,
  quote: Gathered["quote"],
): Gathered => ({
  retrieval: withSnippets(question, snippets, documents),
  documents: [],
  isComplete: false,
  inTable: null,
  records: null,
  quote,
});

/** A text of Carrel's own, without sources. */
export const told = (question: Question, text: string, documents: DocumentRecord[] = []): Gathered => ({
  retrieval: withSnippets(question, []),
  documents,
  quote: async () => text,
  isComplete: true,
  inTable: null,
  records: null,
});

/** As if retrieval had found these, and nothing else. */
export const withSnippets = (question: Question, snippets: FoundSnippet[], documents = 0): Retrieval => ({
  snippets,
  nearest: snippets,
  certainty: "sure",
  confidence: 1,
  refusedAbove: 1,
  query: question.query,
  understood: question.query,
  searched: { documents, snippets: snippets.length, text: 0, vectors: 0 },
  dropped: [],
  warnings: [],
});

/** The documents of a scope. */
export const filterOf = ({ documentId, partitionId, metadata }: SearchScope): DocumentFilter => ({
  ...(documentId === null ? {} : { ids: [documentId] }),
  ...(partitionId === null ? {} : { partitionId }),
  ...(metadata === null ? {} : { metadata }),
});
