import type { Config } from "../../config/schema.ts";
import type { ChatModel } from "../../providers/contract.ts";
import type { Tenant } from "../domain/records.ts";
import type { Retrieval, RetrievalRequest } from "../retrieval/contract.ts";
import type { Store } from "../store/contract.ts";
import type { AnswerEvent, Question, Receipt } from "./answer-event.ts";
import { understandFollowUp } from "./follow-up/understand-follow-up.ts";
import { documentsOf, type Found, withDocuments } from "./found.ts";
import { type Gathered, gather } from "./gather/gather.ts";
import { type ChosenContext, chooseContext } from "./prompt/choose-context.ts";
import { writeFitted } from "./prompt/write-fitted.ts";
import type { PassageModel } from "./quote/nearness.ts";
import { readAsk } from "./reading/read-ask.ts";
import { checkScope } from "./scope.ts";
import { writeTableAnswer } from "./tables/table-answer.ts";

export interface AskDependencies {
  config: Pick<Config, "models" | "answers">;
  store: Pick<Store, "documents" | "partitions" | "openSnippets">;
  retrieve(tenant: Tenant, request: RetrievalRequest, signal: AbortSignal): Promise<Retrieval>;
  /** Null: answers are quoted. */
  answerModel: ChatModel | null;
  /** Compares sentences with the question. */
  passageModel: PassageModel;
}

/**
 * Answers a question from the documents of its scope. Faults of the question and of retrieval are thrown before the first
 * event; after it, only the model can fail.
 * @throws ApiError document_not_found, partition_not_found, scope_conflict, question_too_long
 * @throws ProviderError of the answering model
 */
export async function* ask(
  deps: AskDependencies,
  tenant: Tenant,
  question: Question,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, void, undefined> {
  const startedAt = performance.now();
  const scoped = await checkScope(deps.store, tenant, question);
  const hasAnswer = question.history.some(({ role }) => role === "assistant");
  const ask = question.wantsAnswer
    ? readAsk(question.query, { hasAnswer })
    : { ...readAsk(question.query, { hasAnswer }), kind: "question" as const };
  const understood =
    ask.kind === "question"
      ? await understandFollowUp(deps.config, deps.answerModel, { ...question, query: ask.question }, signal)
      : { query: question.query, history: question.history, followUp: null, warnings: [] };
  const searchedAt = performance.now();
  const { query, history } = understood;
  // What a model made of a follow-up is one question, however many sentences it had.
  const isRewritten = understood.followUp?.by === "model";
  const read = isRewritten ? { ...ask, question: query, readings: [query] } : ask;
  const gathered = await gather(deps, tenant, { ...question, history }, read, scoped, signal);
  const { retrieval } = gathered;
  const found = await withDocuments(deps.store, tenant, retrieval.snippets);
  const retrievedAt = performance.now();

  const model = gathered.isComplete || found.snippets.length === 0 ? null : deps.answerModel;
  const chosen = await chooseContext(deps.config, model, question, withComputed(found, gathered), signal);
  const shown = found.snippets.slice(0, chosen.kept);
  const told = shown.length > 0 ? documentsOf(shown, found.documents) : gathered.documents;
  yield { type: "snippets", snippets: shown, documents: told };

  const written = question.wantsAnswer
    ? yield* writeWith(deps, model, chosen, gathered, withComputed(found, gathered), question, signal)
    : null;

  // The model's server may have accepted fewer snippets.
  const context = written?.context ?? chosen;
  const snippets = found.snippets.slice(0, context.kept);
  const documents = snippets.length > 0 ? documentsOf(snippets, found.documents) : gathered.documents;
  const warnings = [...understood.warnings, ...retrieval.warnings, ...context.warnings, ...(written?.warnings ?? [])];
  if (scoped !== null && scoped.status !== "processed") {
    warnings.push(`The document asked about is ${scoped.status}: its text may not be searchable yet.`);
  }
  const endedAt = performance.now();
  const receipt: Receipt = {
    asked: { kind: ask.kind, question: ask.question },
    certainty: retrieval.certainty,
    computed: computedOf(gathered.inTable),
    searched: retrieval.searched,
    understood: isRewritten ? retrieval.query : retrieval.understood,
    followUp: understood.followUp,
    confidence: retrieval.confidence,
    refusedAbove: retrieval.refusedAbove,
    kept: snippets.length,
    dropped: withDropped(retrieval.dropped, found.snippets.length - snippets.length),
    context: { limit: context.limit, used: written?.promptTokens ?? context.used },
    model: written === null ? null : nameOf(model),
    timings: {
      retrievalMs: milliseconds(retrievedAt - searchedAt),
      answerMs: milliseconds(endedAt - retrievedAt),
      totalMs: milliseconds(endedAt - startedAt),
    },
    warnings,
  };
  yield { type: "done", answer: { answer: written?.text ?? null, snippets, documents, receipt } };
}

/** What was found, with what a table says beside the snippet that it was reached from: a model cannot count its rows. */
const withComputed = (found: Found, { inTable }: Gathered): Found => {
  if (inTable === null) return found;
  const says = `Computed from all ${inTable.table.rows.length} rows of the table: ${writeTableAnswer(inTable, "", "english").trim()}`;
  return {
    ...found,
    snippets: found.snippets.map((snippet) =>
      snippet.id === inTable.snippet.id ? { ...snippet, context: `${says}\n${snippet.context}` } : snippet,
    ),
  };
};

const computedOf = (inTable: Gathered["inTable"]): Receipt["computed"] =>
  inTable === null
    ? null
    : {
        operation: inTable.operation,
        documentId: inTable.document.id,
        column: inTable.column?.name ?? null,
        conditions: inTable.conditions,
        rows: inTable.rows.length,
        total: inTable.table.rows.length,
      };

interface Written {
  text: string;
  /** Null if no model counted them. */
  promptTokens: number | null;
  warnings: string[];
  /** What the answer was made from, after any cut. */
  context: ChosenContext;
}

/** Yields the answer in pieces: by the model, else as it was gathered without one. */
async function* writeWith(
  { config }: AskDependencies,
  model: ChatModel | null,
  context: ChosenContext,
  gathered: Gathered,
  found: Found,
  question: Question,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, Written, undefined> {
  if (model === null || context.prompt === null) {
    const text = await gathered.quote(found.snippets.slice(0, context.kept));
    yield { type: "delta", text };
    return { text, promptTokens: null, warnings: [], context };
  }
  const writing = writeFitted({ config, model, question, found }, context, signal);
  // A for-await loop would lose the returned value. Leaving early must still stop the model.
  try {
    for (;;) {
      const next = await writing.next();
      if (next.done) return next.value;
      yield { type: "delta", text: next.value };
    }
  } finally {
    await writing.return({ text: "", promptTokens: 0, warnings: [], context });
  }
}

const nameOf = (model: ChatModel | null): { provider: string; name: string } =>
  model === null ? { provider: "builtin", name: "quotes" } : { provider: model.provider, name: model.model };

const withDropped = (dropped: Retrieval["dropped"], count: number): Retrieval["dropped"] => {
  if (count === 0) return dropped;
  const isSame = ({ reason }: Retrieval["dropped"][number]) => reason === "no_context_left";
  const before = dropped.find(isSame)?.count ?? 0;
  return [...dropped.filter((one) => !isSame(one)), { reason: "no_context_left", count: before + count }];
};

/** Rounded to a tenth of a millisecond. */
const milliseconds = (duration: number): number => Math.round(duration * 10) / 10;
