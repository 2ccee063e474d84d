import type { Config } from "../../../config/schema.ts";
import { type ChatModel, ProviderError } from "../../../providers/contract.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Found } from "../gather/found.ts";
import {
  type AskedQuestion,
  bareContext,
  type ChosenContext,
  estimateTurns,
  fitContext,
  shownSource,
} from "./choose-context.ts";
import { type ModelAnswer, nothingWritten, writeAnswer } from "./model-answer.ts";
import { countPlaceholders, type Source, sourceBlock } from "./prompt.ts";
import { roomAfterRefusal } from "./prompt-room.ts";

/** An answer of the model, and what it was made from after any cut. */
export interface FittedAnswer extends ModelAnswer {
  context: ChosenContext;
}

/** How often a prompt is cut before the question is sent alone. */
const maxCuts = 3;
/** An empty answer means that the prompt was too long only if it takes at least this part of the context. */
const minContextShare = 1 / 4;

/** An instruction and the question: no source, nothing said before. */
const bareTurns = 2;

interface Writing {
  config: Pick<Config, "models">;
  model: ChatModel;
  question: AskedQuestion;
  found: Found;
}

/**
 * Lets the model answer, in pieces. If its server finds the prompt too long, snippets and earlier messages are left out
 * and the prompt is sent again; the last attempt is the question alone.
 * @throws ApiError question_too_long where the server refuses the question alone
 * @throws ProviderError
 */
export async function* writeFitted(
  writing: Writing,
  first: ChosenContext,
  signal: AbortSignal,
): AsyncGenerator<string, FittedAnswer, undefined> {
  let context = first;
  for (let cuts = 0; ; cuts++) {
    let hasBegun = false;
    try {
      const answering = answerFrom(writing, context, cuts > 0, signal);
      // A for-await loop would lose the returned value. Leaving early must still stop the model.
      try {
        for (let next = await answering.next(); ; next = await answering.next()) {
          if (next.done) return withWarning(next.value, context, first);
          hasBegun = true;
          yield next.value;
        }
      } finally {
        await answering.return(nothingWritten);
      }
    } catch (error) {
      if (hasBegun || !(error instanceof ProviderError) || !isTooLong(error, context)) throw error;
      context = cutContext(writing, context, error, cuts);
    }
  }
}

const answerFrom = (
  { config, model, question, found }: Writing,
  { prompt, room, kept }: ChosenContext,
  isRepeated: boolean,
  signal: AbortSignal,
): AsyncGenerator<string, ModelAnswer, undefined> => {
  if (prompt === null || room === null) throw new Error("no prompt to answer");
  const configured = config.models.answer.maxOutputTokens;
  const maxOutputTokens = Math.min(configured, question.beside?.maxOutputTokens ?? configured);
  // Some servers refuse a prompt that leaves less room than `maxOutputTokens`.
  const left = Math.max(1, Math.floor(room.contextTokens / 4), room.contextTokens - prompt.usedTokens);
  const most = isRepeated ? Math.min(left, maxOutputTokens) : maxOutputTokens;
  return writeAnswer(
    model,
    prompt,
    {
      sources: found.snippets
        .slice(0, kept)
        .map((snippet, index) => ({ text: checkedText(shownSource(snippet, index, found.documents)) })),
      question: question.query,
      today: question.task.today,
      seesSources:
        prompt.sourcesIn > 0 && (question.prompt === null || countPlaceholders(question.prompt).contextText > 0),
      expectMarks: question.prompt === null && prompt.sourcesIn > 0,
      ...(most < configured ? { maxOutputTokens: most } : {}),
    },
    signal,
  );
};

/** What an answer may take from a source: all that is shown of it but its number, and all of its headings. */
const checkedText = (source: Source): string =>
  `${sourceBlock(source).replace(/^\[\d+\] /, "")}\n${source.headings.join("\n")}`;

const isTooLong = (error: ProviderError, { room, used }: ChosenContext): boolean =>
  error.service === "answer" &&
  (error.kind === "too_long" || (error.wasEmpty && used > (room?.contextTokens ?? 0) * minContextShare));

/** The next smaller context. @throws ApiError question_too_long, or the failure itself, if there is none */
const cutContext = (
  { config, model, question, found }: Writing,
  { prompt, room }: ChosenContext,
  refusal: ProviderError,
  cuts: number,
): ChosenContext => {
  if (prompt === null || room === null) throw refusal;
  const next = roomAfterRefusal(room, estimateTurns(model, prompt.turns), refusal.sizes, cuts === 0);
  if (cuts < maxCuts)
    try {
      return fitContext(config.models.answer.maxOutputTokens, model, question, found, next);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // By estimate not even the question fits; the server may still accept it.
    }
  const wasBare = cuts > 0 && prompt.sourcesIn === 0 && prompt.turns.length <= bareTurns;
  if (!wasBare) return bareContext(model, question, found, next);
  throw refusal.kind === "too_long" ? questionTooLong(next.contextTokens, refusal) : refusal;
};

const questionTooLong = (contextTokens: number, cause: ProviderError): ApiError =>
  new ApiError(
    "question_too_long",
    `The question and its prompt do not fit the model's context of ${contextTokens} tokens. Shorten them, or use a model with a longer context (models.answer.contextTokens).`,
    { cause },
  );

const withWarning = (answer: ModelAnswer, context: ChosenContext, first: ChosenContext): FittedAnswer => {
  if (context === first) return { ...answer, context };
  const lengthOf = ({ prompt }: ChosenContext) => prompt?.turns.reduce((sum, { content }) => sum + content.length, 0);
  const warning =
    lengthOf(context) === lengthOf(first)
      ? "The model's context has no room for the prompt and models.answer.maxOutputTokens: it was sent again with less room for the answer."
      : "The model's server found the prompt too long for its context: it was cut and sent again (models.answer.contextTokens).";
  return { ...answer, context, warnings: [warning, ...answer.warnings] };
};
