import { endOfSentence, endsWithStop } from "../../text/sentences.ts";
import { createAnswerLine } from "./answer-line.ts";
import { createCheckedMarks, type Mark, type MarkReport } from "./checked-marks.ts";
import type { SourceCheck } from "./source-check.ts";

/** Passes an answer on, with the marks that its sources support. */
export interface MarkGroups {
  /** Text without marks. @param isFenced it is fenced code, which states nothing */
  text(piece: string, isFenced: boolean): void;
  /** A mark that points to a source. @param hasSpace one space precedes it */
  mark(number: number, hasSpace: boolean): void;
  /** Decides what is still open. */
  end(): void;
  /** @returns the text that is settled and not yet taken */
  take(): string;
  /** Whether something is held back. */
  isHolding(): boolean;
  readonly report: MarkReport;
}

/** Longest text that is held back behind a mark until its sentence ends. */
const maxHeldCharacters = 500;

/** Marks that the text before them does not support, while their sentence continues. */
interface OpenGroup {
  marks: Mark[];
  statements: string[];
  /** Where the statement begins in the line, and where the longest text that is waited for ends. */
  start: number;
  maxEnd: number;
  held: string;
}

/**
 * Decides on groups of marks (`[1][3]`) by the statement they belong to: the sentence before them, from the marks
 * before that on; else all sentences since the marks before. Only if neither is supported, and the sentence continues
 * without other marks, is its rest held back until it ends.
 */
export const createMarkGroups = (check: SourceCheck): MarkGroups => {
  const line = createAnswerLine();
  const checked = createCheckedMarks(check);
  let out = "";
  let group: Mark[] = [];
  let open: OpenGroup | null = null;

  /** All marks of the group are there. */
  const closeGroup = (): void => {
    const marks = group;
    group = [];
    const { statements, start } = line.closeGroup();
    const unsupported = checked.check(marks, statements);
    const { length } = line.text;
    const isUndecided = unsupported.size > 0 || statements.length === 0;
    if (isUndecided && (start === length || !endsWithStop(line.text, length)))
      open = { marks, statements, start, maxEnd: length + maxHeldCharacters, held: "" };
    else out += checked.write(marks, statements, unsupported);
  };

  /** @param end where the sentence ends in the line; null: it has marks of its own, and the text before these is theirs */
  const closeOpen = (end: number | null): void => {
    if (open === null) return;
    const { marks, statements, start, held } = open;
    open = null;
    const whole = end === null ? statements : [...statements, line.text.slice(start, end)];
    out += checked.write(marks, statements, checked.check(marks, whole)) + held;
  };

  /** Where the sentence of the marks ends, or as much of it as is waited for; null if that is not there yet. */
  const endOfOpen = ({ start, maxEnd }: OpenGroup, isLast: boolean): number | null => {
    const { length } = line.text;
    const end = Math.min(maxEnd, endOfSentence(line.text, start, length));
    // Whether a full stop ends the sentence is clear with the next letter.
    return isLast || length >= maxEnd || line.text.slice(end).trim() !== "" ? end : null;
  };

  return {
    text(piece, isFenced) {
      if (group.length > 0) closeGroup();
      if (open === null) out += piece;
      else open.held += piece;
      const isLineEnd = piece.endsWith("\n");
      if (!isFenced) line.add(piece);
      const end = open === null ? null : endOfOpen(open, isLineEnd);
      if (end !== null) closeOpen(end);
      if (isLineEnd) line.begin();
      else if (open === null) line.shorten();
    },
    mark(number, hasSpace) {
      closeOpen(null);
      if (!group.some((mark) => mark.number === number)) group.push({ number, hasSpace });
    },
    end() {
      if (group.length > 0) closeGroup();
      closeOpen(line.text.length);
    },
    take() {
      const settled = out;
      out = "";
      return settled;
    },
    isHolding: () => group.length > 0 || open !== null,
    report: checked.report,
  };
};
