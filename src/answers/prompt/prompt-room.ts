import type { PromptSizes } from "../../../providers/contract.ts";

/** What a prompt is fitted into. */
export interface PromptRoom {
  contextTokens: number;
  /** Tokens that the server takes for each one that was estimated. */
  factor: number;
}

/** Each further refusal multiplies the factor by at least this. */
const growthAfterRefusal = 1.5;
/** Beside a refusal that tells no sizes: somewhat more than what just does not fit. */
const refusalMargin = 1.1;
/** No server means a smaller context than this. */
const minContextTokens = 64;

/**
 * The room for the next try after the server found a prompt too long: by the sizes that it told, else by the fact that
 * the prompt, whatever was estimated, takes more than the context has.
 * @param estimated tokens of the refused prompt by the model's own estimate, whatever was learned
 * @param isFirst the first refusal; each later one makes the room smaller still
 */
export const roomAfterRefusal = (
  room: PromptRoom,
  estimated: number,
  sizes: PromptSizes | null,
  isFirst: boolean,
): PromptRoom => {
  const told = sizes?.limitTokens ?? room.contextTokens;
  const contextTokens = Math.min(room.contextTokens, Math.max(told, minContextTokens));
  const taken = sizes?.promptTokens ?? contextTokens * refusalMargin;
  const least = room.factor * (isFirst ? 1 : growthAfterRefusal);
  return { contextTokens, factor: Math.max(taken / Math.max(1, estimated), least) };
};
