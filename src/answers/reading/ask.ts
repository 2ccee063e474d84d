import type { CueLanguage } from "./cues.ts";

/** What an ask wants: `receipt.asked` tells it. What fits no other kind is a question. */
export const askKinds = ["question", "overview", "inventory", "conversation", "courtesy"] as const;
export type AskKind = (typeof askKinds)[number];

export interface Ask {
  kind: AskKind;
  /** The ask without greetings, thanks and pleas: what is searched for. The whole message where nothing else is left. */
  question: string;
  /**
   * Sentences that ask, each a way to read the question: the best one counts. Where no sentence ends in a question mark, all
   * of them and each. One for a single sentence.
   */
  readings: string[];
  /** With what is told around the question, where that is more: read so if the question alone finds nothing. */
  whole: string | null;
  /** For a courtesy. */
  courtesy: "greeting" | "farewell" | "thanks" | "help" | null;
  /** For a conversation: how the last answer is wanted again, or that the earlier question is asked for. */
  change: "translate" | "shorten" | "list" | "rephrase" | "recall" | null;
  /** For an overview: the words that may name its document. For an inventory: what the documents are about. */
  subject: string | null;
  /** For an inventory: the subject is a part of the documents' names or kinds ("annual reports"), not of their text. */
  isSubjectOfName: boolean;
  /** For an overview: how many sentences or points are wanted; null where the ask names no number. */
  lines: number | null;
  /** Asks who wrote a document, when, or what it is. */
  isAboutOrigin: boolean;
  wishes: Wishes;
  /** The languages of the cues that were found, the likeliest first; empty where none tells. */
  languages: CueLanguage[];
}

/**
 * What is wanted of a list or a table: `mean` is a `sum` too; `recent` is what holds now, of several versions; `open` and `done`
 * are tasks.
 */
export const wishNames = [
  "all",
  "count",
  "sum",
  "mean",
  "smallest",
  "largest",
  "none",
  "recent",
  "compare",
  "open",
  "done",
] as const;
export type Wishes = Readonly<Record<(typeof wishNames)[number], boolean>>;
