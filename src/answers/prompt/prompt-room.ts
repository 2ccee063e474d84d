import type { PromptSizes } from "../../../providers/contract.ts";

/** What a prompt is fitted into. */
export interface PromptRoom {
  contextTokens: number;
  /** Tokens that the server counts for each estimated token. */
  factor: number;
}

/** Each further refusal multiplies the factor by at least this. */
const growthAfterRefusal = 1.5;
/** If a refusal names no sizes, the prompt is assumed to be this much longer than the context. */
const refusalMargin = 1.1;
/** Smaller contexts in a refusal are not believed. */
const minContextTokens = 64;

/**
 * The room for the next attempt after the server refused a prompt as too long: by the sizes in the refusal, else from the
 * fact that the prompt is longer than the context.
 * @param estimated tokens of the refused prompt by the model's own estimate, without the learned factor
 * @param isFirst whether this is the first refusal; each later one makes the room smaller
 */
export const roomAfterRefusal = (
  room: PromptRoom,
  estimated: number,
  sizes: PromptSizes | null,
  isFirst: boolean,
): PromptRoom => {
  const reported = sizes?.limitTokens ?? room.contextTokens;
  const contextTokens = Math.min(room.contextTokens, Math.max(reported, minContextTokens));
  const taken = sizes?.promptTokens ?? contextTokens * refusalMargin;
  const least = room.factor * (isFirst ? 1 : growthAfterRefusal);
  return { contextTokens, factor: Math.max(taken / Math.max(1, estimated), least) };
};
