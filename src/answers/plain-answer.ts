import type { Config } from "../../config/schema.ts";
import type { ChatModel, ChatTurn } from "../../providers/contract.ts";
import { ApiError } from "../domain/errors.ts";
import { estimateTurns } from "./prompt/choose-context.ts";

export interface PlainAnswer {
  text: string;
  /** As the model's server counted them, else as estimated; 0 without a model. */
  promptTokens: number;
  /** As the server counted them; null if it did not. */
  outputTokens: number | null;
  /** It ends where the longest output was reached. */
  isCut: boolean;
}

/** Without a model: clients that let a model write titles and tags read JSON, and take this for none. */
const nothing = "{}";

/**
 * Lets the model answer a text as it is: nothing is searched, nothing is checked. Yields the answer in pieces and returns all
 * of it.
 * @throws ApiError question_too_long
 * @throws ProviderError
 */
export async function* answerPlainly(
  { config, answerModel: model }: { config: Pick<Config, "models">; answerModel: ChatModel | null },
  text: string,
  maxOutputTokens: number | null,
  signal: AbortSignal,
): AsyncGenerator<string, PlainAnswer, undefined> {
  if (model === null) {
    yield nothing;
    return { text: nothing, promptTokens: 0, outputTokens: null, isCut: false };
  }
  const turns: ChatTurn[] = [{ role: "user", content: text }];
  const contextTokens = await model.contextTokens(signal);
  const estimated = Math.ceil(estimateTurns(model, turns) * (model.learnedFactor?.() ?? 1));
  const configured = Math.min(config.models.answer.maxOutputTokens, Math.floor(contextTokens / 4));
  if (estimated > contextTokens - configured)
    throw new ApiError(
      "question_too_long",
      `The text takes about ${estimated} tokens, and the model's context of ${contextTokens} has no room for it and an answer. Shorten it, or use a model with a longer context (models.answer.contextTokens).`,
    );
  const written: PlainAnswer = { text: "", promptTokens: estimated, outputTokens: null, isCut: false };
  const options = { maxOutputTokens: Math.min(configured, maxOutputTokens ?? configured), think: false as const };
  for await (const event of model.chat(turns, signal, options)) {
    if (event.type === "delta") {
      written.text += event.text;
      yield event.text;
      continue;
    }
    written.promptTokens = event.promptTokens ?? estimated;
    written.outputTokens = event.outputTokens;
    written.isCut = event.finishReason === "length";
  }
  return written;
}
