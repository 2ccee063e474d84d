import type { ChatTurn } from "../../../providers/contract.ts";
import { ApiError } from "../../domain/errors.ts";
import { countPlaceholders, promptTurns, type Source, sourceBlock } from "./prompt.ts";

export interface PromptRequest {
  /** The caller's prompt, or null for the default one. */
  prompt: string | null;
  query: string;
  /** Best first. */
  sources: readonly Source[];
  /** Earlier turns, oldest first. */
  history: readonly ChatTurn[];
}

export interface ModelLimits {
  contextTokens: number;
  maxOutputTokens: number;
  /** Never fewer tokens than the server will count. */
  estimateTokens(text: string): number;
}

export interface FittedPrompt {
  turns: ChatTurn[];
  /** How many of the sources are in, counted from the best. */
  sourcesIn: number;
  /** The first source did not fit whole. */
  shortened: boolean;
  /** Earlier turns that are not in, counted from the oldest. */
  turnsLeftOut: number;
  /** Estimated tokens of the turns. */
  usedTokens: number;
}

/** What a chat template puts around a turn, and what joins sources, with room to spare. */
export const tokensAroundTurn = 8;
const tokensAroundSource = 2;
/** Part of the room that earlier turns may take from the sources. */
const maxHistoryShare = 1 / 3;
/** A source cut shorter than this says nothing. */
const minSourceCharacters = 80;

/**
 * Fits the prompt into the model's context, leaving room for the answer: `maxOutputTokens`, but never more than a
 * quarter of the context. Sources go from the end first, then the oldest turns; the best source is cut short where
 * it does not fit whole.
 * @throws ApiError question_too_long where the question, or the question with any of the best source, does not fit
 */
export const fitPrompt = (request: PromptRequest, limits: ModelLimits): FittedPrompt => {
  const { prompt, query, sources } = request;
  const count = (turns: readonly ChatTurn[]) =>
    turns.reduce((sum, turn) => sum + limits.estimateTokens(turn.content) + tokensAroundTurn, 0);
  const room = limits.contextTokens - Math.min(limits.maxOutputTokens, Math.floor(limits.contextTokens / 4));

  const bare = count(promptTurns(prompt, query, [], []));
  if (bare > room) throw tooLong(bare, room);

  const repeats = prompt === null ? 1 : countPlaceholders(prompt).contextText;
  const sourceCosts =
    repeats === 0
      ? []
      : sources.map((source) => repeats * (limits.estimateTokens(sourceBlock(source)) + tokensAroundSource));
  const wanted = sourceCosts.reduce((sum, cost) => sum + cost, 0);

  const free = room - bare;
  const history = newestThatFit(request.history, Math.max(free * maxHistoryShare, free - wanted), (turn) =>
    count([turn]),
  );
  let left = free - count(history);

  let kept: Source[] = [];
  for (const [index, source] of sources.slice(0, sourceCosts.length).entries()) {
    left -= sourceCosts[index] ?? 0;
    if (left < 0) break;
    kept.push(source);
  }
  // Estimates need not add up: what counts is the whole.
  while (kept.length > 1 && count(promptTurns(prompt, query, kept, history)) > room) kept.pop();

  let shortened = false;
  const [best] = sources;
  if (repeats > 0 && best !== undefined && kept.length <= 1) {
    const fits = (source: Source) => count(promptTurns(prompt, query, [source], history)) <= room;
    if (!fits(best)) {
      const cut = shorten(best, fits);
      if (cut === null) throw tooLong(bare, room);
      kept = [cut];
      shortened = true;
    } else kept = [best];
  }

  const turns = promptTurns(prompt, query, kept, history);
  return {
    turns,
    sourcesIn: kept.length,
    shortened,
    turnsLeftOut: request.history.length - history.length,
    usedTokens: count(turns),
  };
};

const tooLong = (tokens: number, room: number): ApiError =>
  new ApiError(
    "question_too_long",
    `The question and its prompt take about ${tokens} tokens, and the model's context has room for ${room} with ` +
      "at least one snippet. Shorten them, or use a model with a longer context (models.answer.contextTokens).",
  );

const newestThatFit = (turns: readonly ChatTurn[], tokens: number, cost: (turn: ChatTurn) => number): ChatTurn[] => {
  let left = tokens;
  let from = turns.length;
  while (from > 0) {
    const turn = turns[from - 1];
    if (turn === undefined) break;
    left -= cost(turn);
    if (left < 0) break;
    from--;
  }
  return turns.slice(from);
};

/** The longest beginning of the source that fits, cut at white space where there is some; null where too little would stay. */
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
