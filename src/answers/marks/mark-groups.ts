import { endOfSentence, endsWithStop } from "../../text/sentences.ts";
import type { SourceCheck } from "./source-check.ts";
import { hasWord, maxLineCharacters, statementsBefore } from "./statements.ts";

/** What was done with the marks of an answer. */
export interface MarkReport {
  /** Marks that pointed to no snippet. */
  dropped: number;
  /** Marks taken out because their snippet does not support the statement. */
  unsupported: number;
  /** Marks that nothing supports, left where they are because nothing before them was supported either. */
  doubtful: number;
  /** Marks moved to the snippet that supports the statement. */
  moved: number;
  /** Numbers that none of their snippets contains, as written, with their marks: `1998 [2]`. */
  numbers: string[];
  /** Numbers of the snippets that the answer names. */
  cited: ReadonlySet<number>;
}

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

interface Mark {
  number: number;
  hasSpace: boolean;
}

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
  let out = "";
  /** The line so far without marks, and the offset of the group before in it. */
  let line = "";
  let groupAt = 0;
  let lineBefore = "";
  let group: Mark[] = [];
  let open: OpenGroup | null = null;
  const cited = new Set<number>();
  const report = { dropped: 0, unsupported: 0, doubtful: 0, moved: 0, numbers: [] as string[], cited };
  /** A model that speaks of its sources in words of its own, throughout, cannot be checked by words. */
  let isAnySupported = false;

  /** Indexes of the marks that none of the statements supports; `moveTo` where one is clearly about another source. */
  const unsupported = (marks: readonly Mark[], statements: readonly string[]): Map<number, number | null> => {
    const named = marks.map(({ number }) => number - 1);
    const failed = new Map<number, number | null>();
    for (const [order, statement] of statements.entries()) {
      for (const [index, verdict] of check.judge(statement, named).entries()) {
        if (order === 0 && verdict.is === "unsupported") failed.set(index, verdict.moveTo);
        else if (verdict.is === "supported") {
          failed.delete(index);
          isAnySupported = true;
        }
      }
      if (failed.size === 0) break;
    }
    return failed;
  };

  const settle = (marks: readonly Mark[], statements: readonly string[], failed: Map<number, number | null>): void => {
    const kept: Mark[] = [];
    for (const [index, mark] of marks.entries()) {
      const moveTo = failed.get(index);
      if (moveTo === undefined) kept.push(mark);
      else if (moveTo === null && isAnySupported) report.unsupported++;
      else if (moveTo === null) {
        report.doubtful++;
        kept.push(mark);
      } else {
        isAnySupported = true;
        report.moved++;
        kept.push({ ...mark, number: moveTo + 1 });
      }
    }
    const written = kept.filter(({ number }, index) => kept.findIndex((other) => other.number === number) === index);
    for (const { number, hasSpace } of written) {
      cited.add(number);
      out += `${hasSpace ? " " : ""}[${number}]`;
    }
    if (written.length === 0) return;
    const names = written.map(({ number }) => `[${number}]`).join("");
    const missing = check.missingNumbers(
      statements[0] ?? "",
      written.map(({ number }) => number - 1),
    );
    report.numbers.push(...missing.map((number) => `${number} ${names}`));
  };

  /** All marks of the group are there. */
  const closeGroup = (): void => {
    const marks = group;
    group = [];
    const { statements, start } = statementsBefore(line, groupAt, lineBefore);
    groupAt = line.length;
    const failed = unsupported(marks, statements);
    const isUndecided = failed.size > 0 || statements.length === 0;
    if (isUndecided && (start === line.length || !endsWithStop(line, line.length)))
      open = { marks, statements, start, maxEnd: line.length + maxHeldCharacters, held: "" };
    else settle(marks, statements, failed);
  };

  /** @param end where the sentence ends in the line; its own marks before that: the text between is theirs */
  const closeOpen = (end: number | null): void => {
    if (open === null) return;
    const { marks, statements, start, held } = open;
    open = null;
    const whole = end === null ? statements : [...statements, line.slice(start, end)];
    settle(marks, statements, unsupported(marks, whole));
    out += held;
  };

  /** Where the sentence of the marks ends, or as much of it as is waited for; null if that is not there yet. */
  const endOfOpen = ({ start, maxEnd }: OpenGroup, isLast: boolean): number | null => {
    const end = Math.min(maxEnd, endOfSentence(line, start, line.length));
    // Whether a full stop ends the sentence is clear with the next letter.
    return isLast || line.length >= maxEnd || line.slice(end).trim() !== "" ? end : null;
  };

  const beginLine = (): void => {
    const end = line.slice(-maxLineCharacters);
    if (hasWord(end)) lineBefore = end;
    line = "";
    groupAt = 0;
  };

  const shortenLine = (): void => {
    if (open !== null || line.length <= 4 * maxLineCharacters) return;
    const cut = line.length - maxLineCharacters;
    line = line.slice(cut);
    groupAt = Math.max(0, groupAt - cut);
  };

  return {
    text(piece, isFenced) {
      if (group.length > 0) closeGroup();
      if (open === null) out += piece;
      else open.held += piece;
      const isLineEnd = piece.endsWith("\n");
      if (!isFenced) line += piece;
      const end = open === null ? null : endOfOpen(open, isLineEnd);
      if (end !== null) closeOpen(end);
      if (isLineEnd) beginLine();
      else shortenLine();
    },
    mark(number, hasSpace) {
      closeOpen(null);
      if (!group.some((mark) => mark.number === number)) group.push({ number, hasSpace });
    },
    end() {
      if (group.length > 0) closeGroup();
      closeOpen(line.length);
    },
    take() {
      const settled = out;
      out = "";
      return settled;
    },
    isHolding: () => group.length > 0 || open !== null,
    report,
  };
};
