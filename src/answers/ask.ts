import type { Config } from "../../config/schema.ts";
import type { ChatModel } from "../../providers/contract.ts";
import { ApiError } from "../domain/errors.ts";
import type { Tenant } from "../domain/records.ts";
import type { Retrieval, RetrievalRequest } from "../retrieval/contract.ts";
import type { Store } from "../store/contract.ts";
import type { AnswerEvent, Question, Receipt } from "./answer-event.ts";
import { understandFollowUp } from "./follow-up/understand-follow-up.ts";
import { documentsOf, type Found, withDocuments } from "./found.ts";
import { type ChosenContext, chooseContext } from "./prompt/choose-context.ts";
import { writeFitted } from "./prompt/write-fitted.ts";
import { builtinAnswer } from "./quote/builtin-answer.ts";
import { checkScope } from "./scope.ts";

export interface AskDependencies {
  config: Pick<Config, "models" | "answers">;
  store: Pick<Store, "documents" | "partitions" | "damage">;
  retrieve(tenant: Tenant, request: RetrievalRequest, signal: AbortSignal): Promise<Retrieval>;
  /** Null: answers are quoted. */
  answerModel: ChatModel | null;
}

/**
 * Answers a question from the documents of its scope. Faults of the question and of retrieval are thrown before the first
 * event; after it, only the model can fail.
 * @throws ApiError document_not_found, partition_not_found, scope_conflict, question_too_long; data_damaged and
 *   index_incomplete where nothing is found, and something could not be searched
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
  const understood = await understandFollowUp(deps.config, deps.answerModel, question, signal);
  const searchedAt = performance.now();
  const { query, history } = understood;
  const retrieval = await deps.retrieve(tenant, { ...question, query, history }, signal);
  const found = await withDocuments(deps.store, tenant, retrieval.snippets);
  const missing = missingParts(deps.store.damage, tenant);
  if (found.snippets.length === 0 && missing !== null) throw await missing.error();
  const retrievedAt = performance.now();

  const model = found.snippets.length > 0 ? deps.answerModel : null;
  const chosen = await chooseContext(deps.config, deps.answerModel, question, found, signal);
  const shown = found.snippets.slice(0, chosen.kept);
  yield { type: "snippets", snippets: shown, documents: documentsOf(shown, found.documents) };

  // What a model made of a follow-up may be in another language than the question.
  const isRewritten = understood.followUp?.by === "model";
  const searched = { query: isRewritten ? question.query : retrieval.query, understood: retrieval.understood };
  const written = question.wantsAnswer
    ? yield* writeWith(deps, model, chosen, searched, found, question, signal)
    : null;

  // The model's server may have accepted fewer snippets.
  const context = written?.context ?? chosen;
  const snippets = found.snippets.slice(0, context.kept);
  const documents = documentsOf(snippets, found.documents);
  const warnings = [
    ...(missing === null ? [] : [missing.warning]),
    ...understood.warnings,
    ...retrieval.warnings,
    ...context.warnings,
    ...(written?.warnings ?? []),
  ];
  if (scoped !== null && scoped.status !== "processed") {
    warnings.push(`The document asked about is ${scoped.status}: its text may not be searchable yet.`);
  }
  const endedAt = performance.now();
  const receipt: Receipt = {
    searched: retrieval.searched,
    understood: isRewritten ? retrieval.query : retrieval.understood,
    followUp: understood.followUp,
    confidence: retrieval.confidence,
    refusedAbove: retrieval.refusedAbove,
    calibratedOn: retrieval.calibratedOn,
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

/** What could not be searched because it is damaged, or is being made again; null if there is nothing. */
const missingParts = (
  damage: Store["damage"],
  { organizationId }: Tenant,
): { warning: string; error(): Promise<ApiError> } | null => {
  const mending = damage.mending(organizationId);
  if (mending > 0) {
    const warning = "Part of the search index was damaged and is being made again: some documents were not searched.";
    const headers = { "Retry-After": "5" };
    return {
      warning,
      error: async () => new ApiError("index_incomplete", `${warning} Try again in a moment.`, { headers }),
    };
  }
  const lost = damage
    .list()
    .filter(
      ({ where, organizationId: owner }) =>
        /^(documents|snippets_.*)$/.test(where) && (owner ?? organizationId) === organizationId,
    );
  if (lost.length === 0) return null;
  const warning = `Stored data is damaged: ${lost.length === 1 ? "one document" : `${lost.length} documents`} could not be searched.`;
  return {
    warning,
    error: () => damage.error("Nothing was found, and some documents could not be searched because they are damaged"),
  };
};

interface Written {
  text: string;
  /** Null if no model counted them. */
  promptTokens: number | null;
  warnings: string[];
  /** What the answer was made from, after any cut. */
  context: ChosenContext;
}

/** Yields the answer in pieces: by the model, else quoted from the snippets, else the text that there is none. */
async function* writeWith(
  { config }: AskDependencies,
  model: ChatModel | null,
  context: ChosenContext,
  { query, understood }: Pick<Retrieval, "query" | "understood">,
  found: Found,
  question: Question,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, Written, undefined> {
  if (model === null || context.prompt === null) {
    const earlier = question.history.filter(({ role }) => role === "user").map(({ text }) => text);
    const snippets = found.snippets.slice(0, context.kept);
    const text = await builtinAnswer(query, understood, snippets, earlier.reverse());
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
