import { endOfSentence } from "../../text/sentences.ts";
import { withoutMarks } from "../marks/citation-filter.ts";

/**
 * Stops an answer that says the same again and again, while it is streamed. A sentence that begins as an earlier one did is
 * held back until it goes on differently, so that what is repeated is mostly not shown.
 */
export interface RepetitionGuard {
  /** @returns what may be shown */
  push(text: string): string;
  /** @returns the rest; nothing of what was repeated */
  end(): string;
  readonly isStopped: boolean;
}

/**
 * What is said is weighed by its letters and digits, a Chinese or Japanese character as three. A piece of text that is said
 * three times in a row is a repetition from the first of these weights on, a shorter phrase only if all of its repetitions
 * together weigh as much as the second. Rows of a table, lines of code and signs look alike by nature: they may weigh more.
 */
const repeated = { weight: 40, times: 3, phraseWeight: 120, phraseTimes: 6, plainWeight: 1_500 };
/** Longest piece whose repetition is noticed. */
const maxPeriod = 2_000;
const window = maxPeriod * 3 + 200;
/** Looked for again after so many characters. */
const stride = 16;
/** Of the end of the text, to find where it was said before. */
const probe = 12;
/** Where it was said before, at most so many places. */
const maxPlaces = 12;
/** Beginnings of earlier sentences that are compared with, and longest text that is held back. */
const maxSentences = 400;
const maxHeld = 4_000;

const isTableOrCode = /[|{}<>=]/;
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const letters = /[\p{L}\p{N}]/gu;

const weightOf = (text: string): number => (text.match(letters)?.length ?? 0) + 2 * (text.match(wide)?.length ?? 0);

/** What is compared: marks and the numbers of list items differ each time. */
const plainOf = (text: string): string =>
  withoutMarks(text)
    .replace(/^[ \t]*(?:\d{1,3}[.)]|[-*•])[ \t]+/gm, "")
    .replace(/\s+/g, " ")
    .toLowerCase();

/** Whether a text ends in repetitions. @param isCode its end is code, whose lines look alike */
export const endsInRepetition = (text: string, isCode = false): boolean => {
  const plain = plainOf(text.slice(-window)).trimEnd();
  const end = plain.length;
  if (end < 3 * probe) return false;
  const last = plain.slice(end - probe);
  let at = end - probe;
  for (let place = 0; place < maxPlaces; place++) {
    at = plain.lastIndexOf(last, at - 1);
    if (at < 0) return false;
    const period = end - probe - at;
    if (period > maxPeriod) return false;
    let same = probe;
    while (same < end - period && plain[end - 1 - same] === plain[end - 1 - same - period]) same++;
    const unit = plain.slice(end - period);
    const times = same / period + 1;
    const weight = weightOf(unit);
    if (times < repeated.times) continue;
    const isPlain = isCode || weight === 0 || isTableOrCode.test(unit);
    if (isPlain ? same + period >= repeated.plainWeight : isRepeated(weight, times)) return true;
  }
  return false;
};

const isRepeated = (weight: number, times: number): boolean =>
  weight >= repeated.weight || (times >= repeated.phraseTimes && weight * times >= repeated.phraseWeight);

export const createRepetitionGuard = (): RepetitionGuard => {
  /** The end of all that was written. */
  let text = "";
  let sinceLook = 0;
  let isStopped = false;
  let isFenced = false;
  /** The sentence that is being written, and earlier ones, as they are compared. */
  let sentence = "";
  const earlier = new Set<string>();
  let held = "";

  /** Whether what was written of this sentence is the beginning of an earlier one. */
  const mayBeRepeated = (): boolean => {
    const begun = plainOf(sentence).trimStart();
    if (isFenced || isTableOrCode.test(sentence)) return false;
    if (begun.trim() === "") return held !== "";
    for (const other of earlier) if (other.startsWith(begun.trimEnd())) return true;
    return false;
  };

  /** Takes in a piece of one line. @returns what of it, and of what was held before, may be shown */
  const pushPiece = (piece: string, isLineEnd: boolean): string => {
    sentence += piece;
    held += piece;
    /** Up to here it goes on differently than before. */
    let released = 0;
    for (;;) {
      const end = endOfSentence(sentence, 0, sentence.length);
      const isOver = sentence.slice(end).trim() !== "";
      if (!isOver && !isLineEnd) break;
      if (/^\s*(?:`{3}|~{3})/.test(sentence)) isFenced = !isFenced;
      const whole = plainOf(isOver ? sentence.slice(0, end) : sentence).trim();
      sentence = isOver ? sentence.slice(end) : "";
      if (whole !== "" && !earlier.has(whole)) {
        released = Math.max(0, held.length - sentence.length);
        if (earlier.size < maxSentences) earlier.add(whole);
      }
      if (!isOver) break;
    }
    if (held.length >= maxHeld || !mayBeRepeated()) released = held.length;
    const shown = held.slice(0, released);
    held = held.slice(released);
    return shown;
  };

  return {
    get isStopped() {
      return isStopped;
    },
    push(piece) {
      if (isStopped) return "";
      text = (text + piece).slice(-2 * window);
      sinceLook += piece.length;
      let out = "";
      const lines = piece.split(/(?<=\n)/);
      for (const line of lines) out += pushPiece(line, line.endsWith("\n"));
      if (sinceLook >= stride) {
        sinceLook = 0;
        isStopped = endsInRepetition(text, isFenced);
        if (isStopped) held = "";
      }
      return out;
    },
    end() {
      if (isStopped || endsInRepetition(text, isFenced)) {
        isStopped = true;
        held = "";
      }
      const rest = held;
      held = "";
      return rest;
    },
  };
};
