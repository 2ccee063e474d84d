import type { Config } from "../../config/schema.ts";
import type { ChatModel, ChatTurn } from "../../providers/contract.ts";
import { type FittedPrompt, fitPrompt } from "../answers/budget.ts";
import { builtinReads } from "../answers/builtin-answer.ts";
import { withoutMarks } from "../answers/citations.ts";
import { countPlaceholders, type Source } from "../answers/prompt.ts";
import type { FoundSnippet } from "../retrieval/contract.ts";
import type { DocumentRecord } from "../store/records.ts";
import type { Question } from "./answer-event.ts";
import type { Found } from "./found.ts";

/** What the answerer is given to read. */
export interface ChosenContext {
  /** Null where no model is to answer. */
  prompt: FittedPrompt | null;
  /** How many of the snippets are used, counted from the best. */
  kept: number;
  /** Tokens of the answerer's context; null where nothing is put into one. */
  limit: number | null;
  /** Tokens of what is put into it. */
  used: number;
  /** All that was asked for and is not in it. */
  warnings: string[];
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
  question: Question,
  found: Found,
  signal: AbortSignal,
): Promise<ChosenContext> => {
  const count = found.snippets.length;
  if (!question.answer) return { ...nothingRead, kept: count };
  if (model === null) return forBuiltin(question, found.snippets);
  if (count === 0) return nothingRead;
  return await forModel(config.models.answer.maxOutputTokens, model, question, found, signal);
};

const nothingRead: ChosenContext = { prompt: null, kept: 0, limit: null, used: 0, warnings: [] };

const forBuiltin = (question: Question, snippets: readonly FoundSnippet[]): ChosenContext => {
  const read = snippets.length === 0 ? nothingRead : builtinReads(snippets);
  const warnings = leftOut(snippets.length - read.kept);
  if (question.prompt !== null) {
    warnings.push("The built-in answerer quotes and cannot follow a prompt: the prompt was not used.");
  }
  return { ...read, prompt: null, warnings };
};

const forModel = async (
  maxOutputTokens: number,
  model: ChatModel,
  question: Question,
  { snippets, documents }: Found,
  signal: AbortSignal,
): Promise<ChosenContext> => {
  const contextTokens = await model.contextTokens(signal);
  const prompt = fitPrompt(
    {
      prompt: question.prompt,
      query: question.query,
      sources: snippets.map((snippet, index) => toSource(snippet, index, documents)),
      history: question.history.map(toTurn),
    },
    { contextTokens, maxOutputTokens, estimateTokens: (text) => model.estimateTokens(text) },
  );
  const unseen = question.prompt !== null && countPlaceholders(question.prompt).contextText === 0;
  // A prompt that wants no snippets crowds none out: they are returned all the same.
  const kept = unseen ? snippets.length : prompt.sourcesIn;
  const warnings = leftOut(snippets.length - kept);
  if (unseen) warnings.push("The prompt has no {contextText}: the model was not shown the snippets.");
  if (prompt.shortened) warnings.push("The best snippet was shortened to fit the model's context.");
  if (prompt.turnsLeftOut > 0) {
    warnings.push(`${prompt.turnsLeftOut} of the conversation's earlier messages did not fit the model's context.`);
  }
  return { prompt, kept, limit: contextTokens, used: prompt.usedTokens, warnings };
};

const leftOut = (count: number): string[] =>
  count === 0
    ? []
    : [`${count} of the snippets found did not fit the context and ${count === 1 ? "was" : "were"} left out.`];

const toSource = (snippet: FoundSnippet, index: number, documents: Map<string, DocumentRecord>): Source => ({
  ...snippet,
  number: index + 1,
  documentName: documents.get(snippet.documentId)?.name ?? "",
});

/** The marks of an earlier answer point to sources that are not in this prompt. */
const toTurn = ({ role, text }: Question["history"][number]): ChatTurn => ({
  role,
  content: role === "assistant" ? withoutMarks(text) : text,
});
