import { type ChatModel, type ChatTurn, ProviderError } from "../contract.ts";

/** What a chat template puts around a turn. */
const TOKENS_AROUND_TURN = 8;
/** In a shorter prompt the template counts for more than the text. */
const LEAST_TOKENS = 200;
/** No tokenizer takes more for what is estimated: three tokens for a character of one byte each. */
const MOST = 8;
/** What one prompt of an unusual alphabet taught is forgotten over the next ones. */
const FORGETTING = 0.95;

/**
 * The model, with what its server was found to count for each estimated token: where a tokenizer takes more than
 * estimated, prompts are fitted by what it really takes from then on. Never less than was estimated, since some servers
 * count only what they had not kept from the last prompt.
 */
export const learnTokens = (model: ChatModel): ChatModel => {
  let factor = 1;
  const learn = (turns: readonly ChatTurn[], counted: number | null): void => {
    const estimated = turns.reduce((sum, { content }) => sum + model.estimateTokens(content) + TOKENS_AROUND_TURN, 0);
    if (counted === null || estimated < LEAST_TOKENS) return;
    factor = Math.min(MOST, Math.max(1, counted / estimated, factor * FORGETTING));
  };
  return {
    provider: model.provider,
    model: model.model,
    contextTokens: (signal) => model.contextTokens(signal),
    estimateTokens: (text) => model.estimateTokens(text),
    learnedFactor: () => factor,
    async *chat(turns, signal, options) {
      try {
        for await (const event of model.chat(turns, signal, options)) {
          if (event.type === "done") learn(turns, event.promptTokens);
          yield event;
        }
      } catch (error) {
        if (error instanceof ProviderError && error.kind === "too_long")
          learn(turns, error.sizes?.promptTokens ?? null);
        throw error;
      }
    },
  };
};
