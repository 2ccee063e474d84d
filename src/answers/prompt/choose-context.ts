import type { Config } from "../../../config/schema.ts";
import type { ChatModel, ChatTurn } from "../../../providers/contract.ts";
import { estimateTokens } from "../../../providers/tokens/estimate-tokens.ts";
import { ApiError } from "../../domain/errors.ts";
import type { DocumentRecord } from "../../domain/records.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";
import type { Found } from "../gather/found.ts";
import type { Question } from "../reading/question.ts";
import { type FittedPrompt, fitPrompt, type PromptRequest, tokensAroundTurn } from "./budget.ts";
import { exchangesOf } from "./history.ts";
import { aboutDocument, countPlaceholders, promptTurns, type Source, type Task } from "./prompt.ts";
import type { PromptRoom } from "./prompt-room.ts";

/** A question with what the model is to do with it. */
export interface AskedQuestion extends Question {
  task: Task;
}

/** What the answerer reads. */
export interface ChosenContext {
  /** Null if no model answers. */
  prompt: FittedPrompt | null;
  /** How many of the snippets are used, counted from the best. */
  kept: number;
  /** Tokens of the answerer's context; null if nothing is put into one. */
  limit: number | null;
  /** Tokens of what is put into it. */
  used: number;
  /** What was asked for and is not in it. */
  warnings: string[];
  /** What the prompt was fitted into; null if no model answers. */
  room: PromptRoom | null;
}

/**
 * Decides which of the snippets found the answerer reads.
 * @param model null: the built-in answerer
 * @throws ApiError question_too_long
 * @throws ProviderError where the model's server has to be asked for its context and fails
 */
export const chooseContext = async (
  config: Pick<Config, "models">,
  model: ChatModel | null,
  question: AskedQuestion,
  found: Found,
  signal: AbortSignal,
): Promise<ChosenContext> => {
  const count = found.snippets.length;
  if (!question.wantsAnswer) return { ...nothingRead, kept: count };
  if (model === null) return forBuiltin(question, found.snippets);
  if (count === 0 && question.task.attached === "") return nothingRead;
  const contextTokens = await model.contextTokens(signal);
  const fit = (factor: number) =>
    fitContext(config.models.answer.maxOutputTokens, model, question, found, { contextTokens, factor });
  const learned = fit(model.learnedFactor?.() ?? 1);
  // The factor was learned from other texts: before it leaves no snippet at all, let the server decide.
  return learned.kept === 0 && count > 0 ? fit(1) : learned;
};

const nothingRead: ChosenContext = { prompt: null, kept: 0, limit: null, used: 0, warnings: [], room: null };

const forBuiltin = (question: AskedQuestion, snippets: readonly FoundSnippet[]): ChosenContext => {
  const read = snippets.length === 0 ? nothingRead : { ...nothingRead, ...builtinReads(snippets) };
  const warnings = leftOut(snippets.length - read.kept);
  if (question.prompt !== null) {
    warnings.push("The built-in answerer quotes and cannot follow a prompt: the prompt was not used.");
  }
  if (question.task.instructions !== "")
    warnings.push("The built-in answerer quotes and cannot follow instructions: the system message was not used.");
  if (question.task.attached !== "")
    warnings.push("The built-in answerer quotes the documents alone: the attached text was not used.");
  return { ...read, warnings };
};

/**
 * Chooses the snippets and earlier messages that fit the model's context. If no snippet fits beside the question, the
 * question is sent alone.
 * @throws ApiError question_too_long where the question alone does not fit
 */
export const fitContext = (
  maxOutputTokens: number,
  model: ChatModel,
  question: AskedQuestion,
  found: Found,
  room: PromptRoom,
): ChosenContext => {
  const attached = beginningOf(question.task.attached, Math.floor(room.contextTokens / (2 * room.factor)), model);
  const request: PromptRequest = {
    prompt: question.prompt,
    query: question.query,
    task: { ...question.task, attached },
    sources: found.snippets.map((snippet, index) => shownSource(snippet, index, found.documents)),
    history: exchangesOf(question.history, question.task.kind === "conversation"),
  };
  const fit = (change: Partial<PromptRequest>, factor: number): FittedPrompt => {
    const estimateTokens = (text: string) => Math.ceil(model.estimateTokens(text) * factor);
    return fitPrompt({ ...request, ...change }, { contextTokens: room.contextTokens, maxOutputTokens, estimateTokens });
  };
  const withAttached = (context: ChosenContext): ChosenContext => {
    if (attached.length < question.task.attached.length)
      context.warnings.push("The attached text was shortened to fit the model's context.");
    return context;
  };
  try {
    return withAttached(described(question, found, room, fit({}, room.factor)));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "question_too_long") throw error;
    // Fails again if the question alone is too long.
    const alone = fit({ sources: [], history: [] }, 1);
    return withAttached(described(question, found, room, { ...alone, turnsLeftOut: 2 * request.history.length }));
  }
};

/** As much of a text as takes so many tokens. */
const beginningOf = (text: string, maxTokens: number, model: Pick<ChatModel, "estimateTokens">): string => {
  let kept = text;
  for (let tokens = model.estimateTokens(kept); tokens > maxTokens; tokens = model.estimateTokens(kept)) {
    kept = kept.slice(0, Math.floor((kept.length * maxTokens * 0.95) / tokens)).toWellFormed();
  }
  return kept;
};

/** Tokens of a prompt by the model's own estimate. */
export const estimateTurns = (model: ChatModel, turns: readonly ChatTurn[]): number =>
  turns.reduce((sum, { content }) => sum + model.estimateTokens(content) + tokensAroundTurn, 0);

/** The question alone, however long it is estimated to be: the last attempt. */
export const bareContext = (
  model: ChatModel,
  question: AskedQuestion,
  found: Found,
  room: PromptRoom,
): ChosenContext => {
  const turns = promptTurns({ ...question, task: { ...question.task, attached: "" } }, [], []);
  const usedTokens = estimateTurns(model, turns);
  const turnsLeftOut = question.history.length;
  return described(question, found, room, { turns, sourcesIn: 0, isShortened: false, turnsLeftOut, usedTokens });
};

const described = (
  question: AskedQuestion,
  { snippets }: Found,
  room: PromptRoom,
  prompt: FittedPrompt,
): ChosenContext => {
  const unseen = question.prompt !== null && countPlaceholders(question.prompt).contextText === 0;
  // A prompt without {contextText} has no snippets in it; all of them are returned.
  const kept = unseen ? snippets.length : prompt.sourcesIn;
  const warnings = leftOut(snippets.length - kept);
  if (unseen) warnings.push("The prompt has no {contextText}: the model was not shown the snippets.");
  else if (kept === 0 && snippets.length > 0)
    warnings.push("The model answered without the documents: no snippet fits beside the question.");
  if (prompt.isShortened) warnings.push("The best snippet was shortened to fit the model's context.");
  if (prompt.turnsLeftOut > 0) {
    warnings.push(`${prompt.turnsLeftOut} of the conversation's earlier messages did not fit the model's context.`);
  }
  return { prompt, kept, limit: room.contextTokens, used: prompt.usedTokens, warnings, room };
};

const leftOut = (count: number): string[] =>
  count === 0
    ? []
    : [`${count} of the snippets found did not fit the context and ${count === 1 ? "was" : "were"} left out.`];

/** A snippet as the model is shown it. */
export const shownSource = (
  snippet: FoundSnippet,
  index: number,
  documents: ReadonlyMap<string, DocumentRecord>,
): Source => {
  const document = documents.get(snippet.documentId);
  return {
    ...snippet,
    number: index + 1,
    documentName: document?.name ?? "",
    about: document === undefined ? [] : aboutDocument(document),
  };
};

/** Most tokens that the built-in answerer reads: more than fifty snippets of the usual size. */
const maxContextTokens = 131_072;

/** How many of the snippets it reads, and the tokens of those. */
const builtinReads = (snippets: readonly FoundSnippet[]): { kept: number; limit: number; used: number } => {
  let used = 0;
  for (const [index, snippet] of snippets.entries()) {
    const tokens = estimateTokens(snippet.text);
    if (used + tokens > maxContextTokens) return { kept: index, limit: maxContextTokens, used };
    used += tokens;
  }
  return { kept: snippets.length, limit: maxContextTokens, used };
};

/**
 * Where the gate says at least this, a snippet with less than that part of the best one's score is not shown to a model: each
 * costs reading time, and misleads a small one. Of six snippets 5.3 are left on code and fewer on articles, and the right
 * one is lost for none of 124 and 170 questions; at a smaller gate, for 1 to 2 of a hundred (bench/quality/README.md).
 */
const sureFrom = 0.98;
const minShareOfBest = 0.45;

/** The snippets that a model is shown of those found, best first: fewer where the rest is far below the best. */
export const nearBest = (snippets: readonly FoundSnippet[], refusedAbove: number): readonly FoundSnippet[] => {
  if (refusedAbove < sureFrom) return snippets;
  const best = Math.max(...snippets.map(({ score }) => score));
  return snippets.slice(0, Math.max(1, snippets.findLastIndex(({ score }) => score >= minShareOfBest * best) + 1));
};
