import { shownText } from "../../src/text/clean-text.ts";
import { countTokens } from "../../src/text/tokens/count-tokens.ts";
import { ProviderError } from "../contract.ts";
import { silence } from "./call-failure.ts";
import { type Destination, nameOf } from "./provider.ts";
import { createWatchdog } from "./watch-body.ts";

/**
 * Takes the thoughts of a reasoning model out of a stream of answer text: everything from a leading `<think>` to its
 * `</think>`. A server that does not know the model's template sends them inside the content. Only a mark that
 * opens the answer counts: a later one belongs to the answer.
 * @returns `push`, which takes the deltas in order and gives what to show, and `flush` for what is held back at the end
 */
export const createThoughtFilter = (): { push(delta: string): string; flush(): string } => {
  const open = "<think>";
  const close = "</think>";
  /** Whitespace before the mark and the mark itself. */
  const maxHeld = 1_000;
  let state: "start" | "thinking" | "answer" = "start";
  let held = "";
  const push = (delta: string): string => {
    if (state === "answer") return delta;
    held += delta;
    if (state === "start") {
      const text = held.trimStart();
      if (text.length < open.length && open.startsWith(text) && held.length < maxHeld) return "";
      if (!text.startsWith(open)) {
        state = "answer";
        return held;
      }
      state = "thinking";
    }
    const end = held.indexOf(close);
    if (end < 0) {
      // Thoughts are not kept, except for what may be the beginning of the closing mark.
      held = held.slice(-close.length);
      return "";
    }
    state = "answer";
    return held.slice(end + close.length).trimStart();
  };
  return { push, flush: () => (state === "start" ? held : "") };
};

/** A model that may think does so for this many of the longest silences, and this many times the longest answer. */
const maxThoughtSilences = 10;
const maxThoughtAnswers = 16;

/** What is counted again with each piece that comes; longer where it is one word. */
const recountCharacters = 64;
const maxTokenCharacters = 256;

/** What a part of a streamed answer says. */
export interface Said {
  /** Some servers put the model's thoughts here too, marked. */
  text: string;
  /** Of the model's thoughts, which are not passed on. */
  thought: string;
}

/** What an answer may have. */
interface TextLimits {
  /** Of the text. */
  maxOutputTokens: number;
  /** Whether the model was let think (`models.answer.think`). */
  mayThink: boolean;
}

/** The text of one streamed answer, as it is passed on. */
interface ModelText {
  /** The parts as they come. While one is waited for, the time counts in which no text came. */
  over<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part, void, undefined>;
  /** Takes what a part says. @returns what is passed on of it @throws ProviderError where the thoughts have no end */
  take(said: Said): Promise<string>;
  /** What was held back until the next part. */
  end(): Promise<string>;
  /** Whether the answer has as many tokens as it may have: what follows is not passed on. */
  readonly isFull: boolean;
  /** Why the answer was given up; null if it was not. */
  failure(): ProviderError | null;
}

/**
 * Bounds the text of a model whatever its server does, the same for every vendor. Silence is silence of text: comments,
 * empty pieces, white space and thoughts do not end it. Thoughts that were asked for do, but have a bound of their own. Text
 * is cut where it has more than `maxOutputTokens` tokens by our own count, and is passed on without control characters.
 *
 * @param hangUp ends the call: nothing more is waited for
 */
export const createModelText = (
  destination: Destination,
  { maxOutputTokens, mayThink }: TextLimits,
  hangUp: () => void,
): ModelText => {
  let reason: ProviderError | null = null;
  const giveUp = (why: ProviderError): void => {
    reason ??= why;
    hangUp();
  };
  const watchdog = createWatchdog(destination.timeoutMs, () => {
    const hasOnlyThought = !mayThink && thoughtSince !== null && !hasBegun;
    giveUp(hasOnlyThought ? unaskedThought(destination) : silence(destination));
  });
  const textCount = createCount();
  const thoughtCount = createCount();
  const inText = createThoughtFilter();
  let thoughtSince: number | null = null;
  let held = "";
  let hasBegun = false;
  let isFull = false;

  const noteThought = async (thought: string): Promise<void> => {
    if (!hasCharacters(thought)) return;
    thoughtSince ??= performance.now();
    if (mayThink) watchdog.heard();
    const isTooLong =
      (await thoughtCount.fit(thought, maxThoughtAnswers * maxOutputTokens)) !== thought ||
      performance.now() - thoughtSince > maxThoughtSilences * destination.timeoutMs;
    if (!isTooLong) return;
    giveUp(endlessThought(destination));
    throw reason;
  };

  const pass = async (text: string, isEnd: boolean): Promise<string> => {
    const whole = held + text;
    // The second half of a character or line break may come with the next part.
    const end = !isEnd && /[\ud800-\udbff\r]$/.test(whole) ? whole.length - 1 : whole.length;
    held = whole.slice(end);
    const clean = shownText(whole.slice(0, end));
    if (isFull || clean === "") return "";
    const isHeard = hasCharacters(clean);
    if (isHeard) watchdog.heard();
    // White space is no answer, however much of it comes.
    if (!isHeard && !hasBegun) return "";
    const rest = hasBegun ? clean : clean.trimStart();
    hasBegun = true;
    const passed = await textCount.fit(rest, maxOutputTokens);
    isFull = passed.length < rest.length;
    return passed;
  };

  return {
    async *over(parts) {
      const iterator = parts[Symbol.asyncIterator]();
      try {
        for (;;) {
          watchdog.wait();
          const next = await iterator.next().finally(() => watchdog.pause());
          if (next.done === true) return;
          yield next.value;
        }
      } finally {
        await iterator.return?.();
      }
    },
    async take(said) {
      const text = inText.push(said.text);
      await noteThought(text === "" ? said.thought + said.text : said.thought);
      return await pass(text, false);
    },
    end: () => pass(inText.flush(), true),
    get isFull() {
      return isFull;
    },
    failure: () => reason,
  };
};

/** Something that a reader sees: no white space, mark of direction or other sign without a form. */
const hasCharacters = (text: string): boolean => /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(text);

/** Counts the tokens of a text that comes in pieces. */
const createCount = () => {
  let settled = 0;
  /** The last words: their tokens may change with the next piece. */
  let last = "";
  const countWith = async (piece: string): Promise<number> => settled + (await countTokens(last + piece));

  const add = async (piece: string): Promise<void> => {
    last += piece;
    if (last.length < recountCharacters) return;
    const space = last.lastIndexOf(" ");
    const end = space > 0 ? space : last.length < maxTokenCharacters ? 0 : last.length;
    settled += await countTokens(last.slice(0, end));
    last = last.slice(end);
  };

  return {
    /** Adds a piece. @returns the beginning of it that makes no more than `most` tokens of the whole */
    async fit(piece: string, most: number): Promise<string> {
      let fitting = piece.length;
      if ((await countWith(piece)) > most) {
        let tooLong = Math.min(piece.length, (most + 1) * maxTokenCharacters);
        for (fitting = 0; fitting + 1 < tooLong; ) {
          const middle = Math.ceil((fitting + tooLong) / 2);
          if ((await countWith(piece.slice(0, middle))) > most) tooLong = middle;
          else fitting = middle;
        }
        if (/[\ud800-\udbff]$/.test(piece.slice(0, fitting))) fitting--;
      }
      const passed = piece.slice(0, fitting);
      await add(passed);
      return passed;
    },
  };
};

const unaskedThought = (destination: Destination): ProviderError =>
  new ProviderError(
    destination.service,
    "timeout",
    `${nameOf(destination)} let the model think for ${Math.round(destination.timeoutMs / 100) / 10} s and said nothing: turn thinking off at the server; or set models.answer.think, so that thoughts are waited for, or raise models.answer.timeoutMs`,
  );

const endlessThought = (destination: Destination): ProviderError =>
  new ProviderError(
    destination.service,
    "timeout",
    `${nameOf(destination)} let the model think without end: turn thinking off (models.answer.think), or raise models.answer.maxOutputTokens and timeoutMs`,
  );
