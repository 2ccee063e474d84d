import { hasWord, maxLineCharacters, statementsBefore } from "./statements.ts";

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
