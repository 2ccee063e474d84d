import { unexplainedOf } from "../calibration/feature-names.ts";

/** The gate's features of a question in a chat, by what it is read with. Null where nothing is found. */
export interface ChatFeatures {
  /** The question by itself. */
  alone: number[] | null;
  /** With the user's question before it. */
  withLast: number[] | null;
  /** With all turns that are searched for. */
  whole: number[] | null;
}

/**
 * Up to the first of these, the words of the question that are not found are no more than those of "when was that?"; from
 * the second on, a rare word is missing. As the gate's feature `unexplained`.
 */
const missing = { nothing: 0.25, aWord: 0.45 };

/**
 * The two ways to read a question in a chat: by itself, and as a part of it. The one that speaks more for an answer counts.
 *
 * The words of the turns before it are found, for they were answered; counted like the question's own, they would speak for
 * an answer to whatever comes next. So where words of its own are missing, those of the turns do not stand in for them: half
 * of it is then the question alone, half the question with the user's last one. Measured with bench/quality/gate/chats.ts.
 */
export const readingsInChat = ({ alone, withLast, whole }: ChatFeatures): number[][] => {
  if (alone === null || withLast === null || whole === null) return [];
  const own = Math.min(1, Math.max(0, (unexplainedOf(alone) - missing.nothing) / (missing.aWord - missing.nothing)));
  const inChat = alone.map((value, at) => (own * (value + (withLast[at] ?? 0))) / 2 + (1 - own) * (whole[at] ?? 0));
  return [alone, inChat];
};
