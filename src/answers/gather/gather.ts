import { type DocumentRecord, maxQuestionCharacters, type Tenant } from "../../domain/records.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";
import type { Ask } from "../reading/ask.ts";
import type { Question } from "../reading/question.ts";
import { phrase } from "../wording/phrases.ts";
import { conversation } from "./conversation.ts";
import {
  type GatherDependencies,
  type Gathered,
  type Gathering,
  languageFor,
  told,
  withSnippets,
} from "./gathering.ts";
import { gatherInventory } from "./inventory.ts";
import { gatherOverview } from "./overview.ts";
import { gatherQuestion } from "./question.ts";

/**
 * Finds what an ask is answered from: by retrieval for a question, by name for an inventory, over its parts for an overview.
 * @param document the document of the scope, if it names one
 */
export const gather = async (
  deps: GatherDependencies,
  tenant: Tenant,
  question: Question,
  ask: Ask,
  document: DocumentRecord | null,
  signal: AbortSignal,
): Promise<Gathered> => {
  const gathering: Gathering = { deps, tenant, question, ask, document, signal };
  switch (ask.kind) {
    case "courtesy":
      return await courtesy(gathering);
    case "inventory":
      return await gatherInventory(gathering);
    case "overview":
      return (await gatherOverview(gathering)) ?? (await gatherQuestion(gathering));
    case "conversation": {
      const lastSnippets = question.lastSnippets.length > 0 ? question.lastSnippets : await foundBefore(gathering);
      const again = conversation({ ...question, lastSnippets }, ask, languageFor(gathering, []));
      const retrieval = withSnippets(question, again.snippets);
      return { retrieval, documents: [], inTable: null, records: null, ...again };
    }
    case "question":
      return await gatherQuestion(gathering);
  }
};

/** What the question before is found to be answered from, where its client did not keep the sources. */
const foundBefore = async ({ deps, tenant, question, ask, signal }: Gathering): Promise<readonly FoundSnippet[]> => {
  const { history, documentId, partitionId, metadata, limit } = question;
  const at = history.findLastIndex(({ role, text }) => role === "user" && text.trim() !== "");
  const query = history[at]?.text.slice(0, maxQuestionCharacters);
  if (query === undefined || ask.change === "recall") return [];
  const request = { query, history: history.slice(0, at), documentId, partitionId, metadata, limit };
  return (await deps.retrieve(tenant, request, signal)).snippets;
};

const courtesy = async (gathering: Gathering): Promise<Gathered> => {
  const { deps, tenant, question, ask } = gathering;
  const { partitionId } = question;
  const { items } = await deps.store.documents.list(
    tenant,
    { status: "processed", ...(partitionId === null ? {} : { partitionId }) },
    { limit: 1, skip: 0, sortOrder: "desc" },
  );
  const newest = gathering.document ?? items[0];
  const language = languageFor(gathering, []);
  const text = phrase(language, ask.courtesy ?? "greeting");
  if (ask.courtesy === "thanks" || ask.courtesy === "farewell" || question.isVisitor) return told(question, text);
  const example =
    newest === undefined ? phrase(language, "noDocuments") : phrase(language, "example", { name: newest.name });
  return told(question, `${text} ${example}`);
};
