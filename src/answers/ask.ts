import type { Config } from "../../config/schema.ts";
import { type ChatModel, type ChatTurn, ProviderError } from "../../providers/contract.ts";
import type { Tenant } from "../domain/records.ts";
import { failureWarning, type Warning } from "../models/warning.ts";
import type { Retrieval, RetrievalRequest } from "../retrieval/contract.ts";
import type { Store } from "../store/contract.ts";
import { countTokens } from "../text/tokens/count-tokens.ts";
import type { AnswerEvent, KeepReceipt, Receipt } from "./answer-event.ts";
import { understandFollowUp } from "./follow-up/understand-follow-up.ts";
import { documentsOf, type Found, withDocuments } from "./gather/found.ts";
import { gather } from "./gather/gather.ts";
import type { Gathered } from "./gather/gathering.ts";
import { type AskedQuestion, type ChosenContext, chooseContext, nearBest } from "./prompt/choose-context.ts";
import { nothingWritten } from "./prompt/model-answer.ts";
import { writeFitted } from "./prompt/write-fitted.ts";
import type { PassageModel } from "./quote/nearness.ts";
import type { Question } from "./reading/question.ts";
import { readAsk } from "./reading/read-ask.ts";
import { checkScope } from "./scope.ts";
import { writeTableAnswer } from "./tables/write-table.ts";
import { answerLanguage } from "./wording/no-answer.ts";
import { phrase, phrases } from "./wording/phrases.ts";

export interface AskDependencies {
  config: Pick<Config, "models" | "answers">;
  store: Pick<Store, "documents" | "partitions" | "openSnippets" | "damage">;
  retrieve(tenant: Tenant, request: RetrievalRequest, signal: AbortSignal): Promise<Retrieval>;
  /** Null: answers are quoted. */
  answerModel: ChatModel | null;
  /** Compares sentences with the question. */
  passageModel: PassageModel;
  /** Compares passages with a question whose words are not found. */
  meaningModel: PassageModel;
  /** Left out: no receipt is kept. */
  keepReceipt?: KeepReceipt;
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
  const hasAnswer = question.history.some(({ role }) => role === "assistant");
  const asking = readAsk(question.query, { hasAnswer });
  const { instructions = "", attached = "" } = question.beside ?? {};
  // "Summarize this", of an attached text, is no ask about the documents.
  const isOfAttached = attached !== "" && (asking.kind === "overview" || asking.kind === "inventory");
  const ask = question.wantsAnswer && !isOfAttached ? asking : { ...asking, kind: "question" as const };
  const understood =
    ask.kind === "question"
      ? await understandFollowUp(
          deps.config,
          deps.answerModel,
          { ...question, query: ask.question },
          question.query,
          signal,
        )
      : { query: question.query, history: question.history, followUp: null, warnings: [] };
  const searchedAt = performance.now();
  const { query, history } = understood;
  // What a model made of a follow-up is one question, however many sentences it had.
  const isRewritten = understood.followUp?.by === "model";
  const read = isRewritten ? { ...ask, question: query, readings: [query] } : ask;
  const gathered = await gather(deps, tenant, { ...question, history }, read, scoped, signal);
  const { retrieval } = gathered;
  const found = await withDocuments(deps.store, tenant, retrieval.snippets, gathered.records);
  const unsearched = deps.store.damage.unsearched(tenant.organizationId);
  if (found.snippets.length === 0 && ask.kind !== "courtesy" && unsearched !== null) throw await unsearched.error();
  const retrievedAt = performance.now();

  const today = new Date().toISOString().slice(0, 10);
  const task = { kind: ask.kind, certainty: retrieval.certainty, today, instructions, attached };
  const asked: AskedQuestion = { ...question, task };
  const isInDocuments = !gathered.isComplete && found.snippets.length > 0;
  const isInAttached = attached !== "" && ask.kind === "question";
  const isForModel = deps.answerModel !== null && (isInDocuments || isInAttached);
  const near =
    isForModel && question.wantsAnswer && ask.kind === "question"
      ? nearBest(found.snippets, retrieval.refusedAbove)
      : found.snippets;
  const readable = withComputed({ ...found, snippets: [...near] }, gathered);
  const { model, chosen, silence } = await contextFor(
    deps,
    isForModel ? deps.answerModel : null,
    asked,
    readable,
    signal,
  );
  const shown = found.snippets.slice(0, chosen.kept);
  const told = shown.length > 0 ? documentsOf(shown, found.documents) : gathered.documents;
  yield { type: "snippets", snippets: shown, documents: told };

  const written = question.wantsAnswer
    ? yield* writeWith(deps, model, chosen, gathered, readable, asked, signal)
    : null;

  // The model's server may have accepted fewer snippets.
  const context = written?.context ?? chosen;
  const snippets = found.snippets.slice(0, context.kept);
  const documents = snippets.length > 0 ? documentsOf(snippets, found.documents) : gathered.documents;
  const warnings = [
    ...(unsearched === null ? [] : [unsearched.warning]),
    ...(question.beside?.warnings ?? []),
    ...understood.warnings,
    ...retrieval.warnings,
    ...silence,
    ...context.warnings,
    ...(written?.warnings ?? []),
  ];
  if (scoped !== null && scoped.status !== "processed") {
    warnings.push(`The document asked about is ${scoped.status}: its text may not be searchable yet.`);
  }
  const endedAt = performance.now();
  const receipt: Receipt = {
    id: question.receiptId,
    asked: { kind: ask.kind, question: ask.question },
    certainty: retrieval.certainty,
    computed: computedOf(gathered.inTable),
    searched: retrieval.searched,
    understood: isRewritten ? retrieval.query : retrieval.understood,
    followUp: understood.followUp,
    confidence: retrieval.confidence,
    refusedAbove: retrieval.refusedAbove,
    kept: snippets.length,
    dropped: withDropped(
      withDropped(retrieval.dropped, "not_relevant", found.snippets.length - near.length),
      "no_context_left",
      near.length - snippets.length,
    ),
    context: { limit: context.limit, used: written?.promptTokens ?? context.used },
    model: written === null ? null : nameOf(written.isQuoted ? null : model),
    support: written?.support ?? null,
    timings: {
      retrievalMs: milliseconds(retrievedAt - searchedAt),
      answerMs: milliseconds(endedAt - retrievedAt),
      totalMs: milliseconds(endedAt - startedAt),
    },
    warnings,
  };
  const { outputTokens = null, isCut = false } = written ?? {};
  const answer = { answer: written?.text ?? null, snippets, documents, receipt, outputTokens, isCut };
  deps.keepReceipt?.(tenant, { question, answer, retrieval, prompt: written === null ? null : promptOf(context) });
  yield { type: "done", answer };
}

const promptOf = ({ prompt }: ChosenContext): readonly ChatTurn[] | null => prompt?.turns ?? null;

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

/** Chooses what the answerer reads. A model's server that says nothing when it is asked for its context gets no question. */
const contextFor = async (
  { config }: AskDependencies,
  model: ChatModel | null,
  question: AskedQuestion,
  found: Found,
  signal: AbortSignal,
): Promise<{ model: ChatModel | null; chosen: ChosenContext; silence: Warning[] }> => {
  try {
    return { model, chosen: await chooseContext(config, model, question, found, signal), silence: [] };
  } catch (error) {
    if (model === null || !isSilence(error, question)) throw error;
    const chosen = await chooseContext(config, null, question, found, signal);
    return { model: null, chosen, silence: [silenceOf(model, error, config)] };
  }
};

/** A server that was silent for too long. Who gives a prompt wants a form that quotations do not have, and is told. */
const isSilence = (error: unknown, { prompt }: AskedQuestion): error is ProviderError =>
  error instanceof ProviderError && error.service === "answer" && error.kind === "timeout" && prompt === null;

const silenceOf = (model: ChatModel, error: ProviderError, { models }: AskDependencies["config"]): Warning =>
  failureWarning(
    `The model "${model.model}" did not answer within ${models.answer.timeoutMs / 1000} s: the answer is quoted from the documents`,
    error,
  );

interface Written {
  text: string;
  /** Null if no model counted them. */
  promptTokens: number | null;
  warnings: Warning[];
  /** What the answer was made from, after any cut. */
  context: ChosenContext;
  support: Receipt["support"];
  /** No model wrote any of it. */
  isQuoted: boolean;
  outputTokens: number | null;
  isCut: boolean;
}

/**
 * Yields the answer in pieces: by the model, else as it was gathered without one. What a model says that the sources do not
 * hold is followed by quotations; a model that stays silent is replaced by them.
 */
async function* writeWith(
  { config }: AskDependencies,
  model: ChatModel | null,
  context: ChosenContext,
  gathered: Gathered,
  found: Found,
  question: AskedQuestion,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, Written, undefined> {
  const quote = (kept: number): Promise<string> => gathered.quote(found.snippets.slice(0, kept));
  const quoted = async function* (warnings: Warning[]): AsyncGenerator<AnswerEvent, Written, undefined> {
    const { text, isCut } = await withinTokens(await quote(context.kept), question.beside?.maxOutputTokens ?? null);
    yield { type: "delta", text };
    return { text, promptTokens: null, warnings, context, support: null, isQuoted: true, outputTokens: null, isCut };
  };
  if (model === null || context.prompt === null) return yield* quoted([]);
  const writing = writeFitted({ config, model, question, found }, context, signal);
  let hasBegun = false;
  // A for-await loop would lose the returned value. Leaving early must still stop the model.
  try {
    for (;;) {
      const next = await writing.next();
      if (!next.done) {
        hasBegun = true;
        yield { type: "delta", text: next.value };
        continue;
      }
      const { isDoubtful, ...written } = next.value;
      // What an attached text holds is not in the sources.
      const isOfSources = question.task.kind !== "conversation" && question.task.attached === "";
      const follows = isDoubtful && isOfSources && !(written.isCut && question.beside?.maxOutputTokens != null);
      const quotations = follows
        ? quotationsAfter(written.text, await quote(written.context.kept), question, found)
        : "";
      if (quotations !== "") yield { type: "delta", text: quotations };
      const support = question.task.attached === "" ? written.support : null;
      return { ...written, text: written.text + quotations, support, isQuoted: false };
    }
  } catch (error) {
    if (hasBegun || !isSilence(error, question)) throw error;
    return yield* quoted([silenceOf(model, error, config)]);
  } finally {
    await writing.return({ ...nothingWritten, context });
  }
}

/** As much of a text as takes so many tokens, without a mark that was cut in two. @param maxTokens null: all of it */
const withinTokens = async (text: string, maxTokens: number | null): Promise<{ text: string; isCut: boolean }> => {
  if (maxTokens === null || (await countTokens(text)) <= maxTokens) return { text, isCut: false };
  let [fits, length] = [0, text.length];
  while (length - fits > 1) {
    const middle = Math.floor((fits + length) / 2);
    if ((await countTokens(text.slice(0, middle))) <= maxTokens) fits = middle;
    else length = middle;
  }
  const beginning = text.slice(0, fits).replace(/\[\d{0,3}$/, "");
  return { text: beginning.isWellFormed() ? beginning : beginning.slice(0, -1), isCut: true };
};

const unsureLines: ReadonlySet<string> = new Set(Object.values(phrases).map(({ unsure }) => unsure));

/** Quotations that follow a model's answer, under a line of their own. Empty where there are none. */
const quotationsAfter = (answer: string, quoted: string, question: AskedQuestion, { snippets }: Found): string => {
  const language = answerLanguage(answer.trim() === "" ? question.query : answer, {
    cues: [],
    before: [question.query],
    documents: snippets.slice(0, 2).map(({ text }) => text),
  });
  // Said already: they follow because nothing is sure.
  const lines = quoted.split("\n").filter((line) => !unsureLines.has(line));
  const quotations = lines.join("\n").trim();
  if (!/\[\d+\]/.test(quotations)) return "";
  return `${answer.trim() === "" ? "" : "\n\n"}${phrase(language, "fromDocuments")}\n\n${quotations}`;
};

const nameOf = (model: ChatModel | null): { provider: string; name: string } =>
  model === null ? { provider: "builtin", name: "quotes" } : { provider: model.provider, name: model.model };

const withDropped = (
  dropped: Retrieval["dropped"],
  reason: Retrieval["dropped"][number]["reason"],
  count: number,
): Retrieval["dropped"] => {
  if (count === 0) return dropped;
  const before = dropped.find((one) => one.reason === reason)?.count ?? 0;
  return [...dropped.filter((one) => one.reason !== reason), { reason, count: before + count }];
};

/** Rounded to a tenth of a millisecond. */
const milliseconds = (duration: number): number => Math.round(duration * 10) / 10;
