import type { ChatTurn } from "../../../providers/contract.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Exchange } from "./history.ts";
import { countPlaceholders, promptTurns, type Source, sourceBlock, type Task } from "./prompt.ts";

export interface PromptRequest {
  /** The caller's prompt, or null for the default one. */
  prompt: string | null;
  query: string;
  task: Task;
  /** Best first. */
  sources: readonly Source[];
  /** Earlier questions with their answers, oldest first. */
  history: readonly Exchange[];
}

export interface ModelLimits {
  contextTokens: number;
  maxOutputTokens: number;
  /** Never fewer tokens than the server will count. */
  estimateTokens(text: string): number;
}

export interface FittedPrompt {
  turns: ChatTurn[];
  /** Number of sources in the prompt, from the best. */
  sourcesIn: number;
  /** The first source did not fit whole. */
  isShortened: boolean;
  /** Number of earlier turns that were left out, from the oldest. */
  turnsLeftOut: number;
  /** Estimated tokens of the turns. */
  usedTokens: number;
}

/** Tokens that a chat template adds to a turn, and that join two sources; rather too many than too few. */
export const tokensAroundTurn = 8;
const tokensAroundSource = 2;
/** Part of the room that earlier turns may take from the sources. */
const maxHistoryShare = 1 / 3;
/** A source that would be cut shorter than this is left out. */
const minSourceCharacters = 80;

/**
 * Fits the prompt into the model's context, leaving room for the answer: `maxOutputTokens`, but never more than a
 * quarter of the context. The last sources are left out first, then the oldest exchanges; the best source is shortened
 * if it does not fit.
 * @throws ApiError question_too_long if not even the question with the beginning of the best source fits
 */
export const fitPrompt = (request: PromptRequest, limits: ModelLimits): FittedPrompt => {
  const { prompt, sources } = request;
  const count = (turns: readonly ChatTurn[]) =>
    turns.reduce((sum, turn) => sum + limits.estimateTokens(turn.content) + tokensAroundTurn, 0);
  const room = limits.contextTokens - Math.min(limits.maxOutputTokens, Math.floor(limits.contextTokens / 4));

  const bare = count(promptTurns(request, [], []));
  if (bare > room) throw tooLong(bare, room);

  const repeats = prompt === null ? 1 : countPlaceholders(prompt).contextText;
  const sourceCosts =
    repeats === 0
      ? []
      : sources.map((source) => repeats * (limits.estimateTokens(sourceBlock(source)) + tokensAroundSource));
  const wanted = sourceCosts.reduce((sum, cost) => sum + cost, 0);

  const free = room - bare;
  const history = newestThatFit(request.history, Math.max(free * maxHistoryShare, free - wanted), count).flat();
  let left = free - count(history);

  let kept: Source[] = [];
  for (const [index, source] of sources.slice(0, sourceCosts.length).entries()) {
    left -= sourceCosts[index] ?? 0;
    if (left < 0) break;
    kept.push(source);
  }
  // The estimate of the whole may be more than the sum of the estimates.
  while (kept.length > 1 && count(promptTurns(request, kept, history)) > room) kept.pop();

  let isShortened = false;
  const [best] = sources;
  if (repeats > 0 && best !== undefined && kept.length <= 1) {
    const fits = (source: Source) => count(promptTurns(request, [source], history)) <= room;
    if (!fits(best)) {
      const cut = shorten(best, fits);
      if (cut === null) throw tooLong(bare, room);
      kept = [cut];
      isShortened = true;
    } else kept = [best];
  }

  const turns = promptTurns(request, kept, history);
  return {
    turns,
    sourcesIn: kept.length,
    isShortened,
    turnsLeftOut: 2 * request.history.length - history.length,
    usedTokens: count(turns),
  };
};

const tooLong = (tokens: number, room: number): ApiError =>
  new ApiError(
    "question_too_long",
    `The question and its prompt take about ${tokens} tokens, and the model's context has room for ${room} with ` +
      "at least one snippet. Shorten them, or use a model with a longer context (models.answer.contextTokens).",
  );

const newestThatFit = (
  exchanges: readonly Exchange[],
  tokens: number,
  cost: (turns: readonly ChatTurn[]) => number,
): Exchange[] => {
  let left = tokens;
  let from = exchanges.length;
  for (; from > 0; from--) {
    left -= cost(exchanges[from - 1] ?? []);
    if (left < 0) break;
  }
  return exchanges.slice(from);
};

/** The longest beginning of the source that fits, cut at white space if possible; null if it would be too short. */
const shorten = (source: Source, fits: (source: Source) => boolean): Source | null => {
  let low = 0;
  let high = source.text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits({ ...source, text: `${source.text.slice(0, middle)} …` })) low = middle;
    else high = middle - 1;
  }
  const head = source.text.slice(0, low);
  const space = head.search(/\s\S*$/);
  const text = (space > low / 2 ? head.slice(0, space) : head.toWellFormed().replace(/\uFFFD$/, "")).trimEnd();
  return text.length < minSourceCharacters ? null : { ...source, text: `${text} …` };
};
