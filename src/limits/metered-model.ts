import type { ChatModel, ChatTurn } from "../../providers/contract.ts";
import type { LimitedCaller } from "./limit-settings.ts";
import type { Rates } from "./rates.ts";

/**
 * The model for one caller: what it reads and writes counts against the caller's tokens. Tokens that its server did not
 * count, and those of an answer that was cut off, are estimated.
 */
const meterModel = (model: ChatModel, spend: (tokens: number) => void): ChatModel => ({
  ...model,
  async *chat(turns, signal, options) {
    let written = "";
    let tokens: number | null = null;
    try {
      for await (const event of model.chat(turns, signal, options)) {
        if (event.type === "delta") written += event.text;
        else {
          tokens =
            (event.promptTokens ?? promptTokens(model, turns)) + (event.outputTokens ?? model.estimateTokens(written));
        }
        yield event;
      }
    } finally {
      if (tokens !== null) spend(tokens);
      // A model that refused before it wrote anything costs nothing.
      else if (written !== "") spend(promptTokens(model, turns) + model.estimateTokens(written));
    }
  },
});

const promptTokens = (model: ChatModel, turns: readonly ChatTurn[]): number =>
  turns.reduce((sum, { content }) => sum + model.estimateTokens(content), 0);

interface Metered {
  answerModel: ChatModel | null;
  rates: Rates;
}

/**
 * The dependencies for a caller's question: its model is metered. Call it before the question is worked on.
 * @param caller null: the operator's socket, which is not limited
 * @throws ApiError rate_limited where a model would answer and the tokens of the day are used up
 */
export const meterFor = async <D extends Metered>(deps: D, caller: LimitedCaller | null): Promise<D> => {
  const { answerModel, rates } = deps;
  if (answerModel === null || caller === null) return deps;
  await rates.checkTokens(caller);
  return { ...deps, answerModel: meterModel(answerModel, (tokens) => void rates.spendTokens(caller, tokens)) };
};
