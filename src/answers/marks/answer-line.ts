import { endOfSentence } from "../../text/sentences.ts";

/** The line of an answer that is being written, without its marks. */
export interface AnswerLine {
  readonly text: string;
  add(piece: string): void;
  /** What a group of marks at the end of the line may belong to; the statement of the next group begins behind it. */
  closeGroup(): ReturnType<typeof statementsBefore>;
  /** The line is complete: what follows is the next one. */
  begin(): void;
  /** Drops the start of a long line, which no mark can belong to any more. */
  shorten(): void;
}

export const createAnswerLine = (): AnswerLine => {
  let text = "";
  /** Where in the line the last group of marks was. */
  let groupAt = 0;
  let lineBefore = "";
  return {
    get text() {
      return text;
    },
    add(piece) {
      text += piece;
    },
    closeGroup() {
      const found = statementsBefore(text, groupAt, lineBefore);
      groupAt = text.length;
      return found;
    },
    begin() {
      const end = text.slice(-maxLineCharacters);
      if (hasWord(end)) lineBefore = end;
      text = "";
      groupAt = 0;
    },
    shorten() {
      if (text.length <= 4 * maxLineCharacters) return;
      const cut = text.length - maxLineCharacters;
      text = text.slice(cut);
      groupAt = Math.max(0, groupAt - cut);
    },
  };
};

/** Longest text in which a statement is looked for: the end of the line before the mark. */
const maxLineCharacters = 600;

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * What a group of marks may belong to, the likeliest first.
 * @param groupAt offset of the group before in the line
 */
const statementsBefore = (
  line: string,
  groupAt: number,
  lineBefore: string,
): { statements: string[]; start: number } => {
  const skipped = Math.max(0, line.length - maxLineCharacters);
  const end = line.slice(skipped);
  // Marks before the first word of a line belong to the line before, or to what follows.
  if (!hasWord(end)) return { statements: lineBefore === "" ? [] : [lineBefore], start: line.length };
  const from = Math.max(0, groupAt - skipped);
  const sentenceStart = startOfLastSentence(end);
  const start = hasWord(end.slice(from)) ? Math.max(from, sentenceStart) : sentenceStart;
  const statements = [end.slice(start), end.slice(Math.min(from, start))];
  return { statements: [...new Set(statements)], start: skipped + start };
};

const startOfLastSentence = (text: string): number => {
  for (let start = 0; ; ) {
    const end = endOfSentence(text, start, text.length);
    if (!hasWord(text.slice(end))) return start;
    start = end;
  }
};
