import { type ChatModel, type ChatTurn, ProviderError } from "../contract.ts";

/**
 * Tokens that a text takes at most in the tokenizers of current chat and embedding models, without having theirs:
 * a run of ASCII letters counts a token for every three (BPE vocabularies average four to five), each digit and sign
 * one, a letter of another alphabet one, and any other character (CJK, emoji) two.
 * Errs to the high side: on English prose by about a quarter.
 */
export const estimateTokens = (text: string): number => {
  let letters = 0;
  let single = 0;
  let wide = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if ((unit | 32) >= 97 && (unit | 32) <= 122) letters++;
    else if (unit === 32) continue;
    else if (unit < 0x0e00) single++;
    else wide++;
  }
  return Math.ceil(letters / 3) + single + Math.ceil(wide * 1.5);
};

/** What a chat template puts around a turn. */
const tokensAroundTurn = 8;
/** Nothing is learned from shorter prompts: in them the template counts for more than the text. */
const minPromptTokens = 200;
/** No tokenizer needs more: three tokens for a character, one for each byte. */
const maxFactor = 8;
/** A high factor learned from one prompt in an unusual alphabet fades over the next prompts. */
const decay = 0.95;

/**
 * The model, with the number of tokens that its server counts for each estimated one. If a tokenizer needs more than
 * estimated, later prompts are fitted by that. The factor is never below 1, since some servers count only the part of a
 * prompt that they had not cached.
 */
export const learnTokens = (model: ChatModel): ChatModel => {
  let factor = 1;
  const learn = (turns: readonly ChatTurn[], counted: number | null): void => {
    const estimated = turns.reduce((sum, { content }) => sum + model.estimateTokens(content) + tokensAroundTurn, 0);
    if (counted === null || estimated < minPromptTokens) return;
    factor = Math.min(maxFactor, Math.max(1, counted / estimated, factor * decay));
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
