import { endOfSentence, endsWithStop } from "../../text/sentences.ts";
import type { SourceCheck } from "./source-check.ts";

/** What was done with the marks of an answer. */
export interface MarkReport {
  /** Marks that pointed to no snippet. */
  dropped: number;
  /** Marks taken out because their snippet does not support the statement. */
  unsupported: number;
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
  /** A mark that points to a source. @param hasSpace one space stands before it */
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
/** Longest text in which a statement is looked for: the end of the line before the mark. */
const maxLineCharacters = 1_500;

interface Mark {
  number: number;
  hasSpace: boolean;
}

/** Marks that the text before them does not support, while their sentence goes on. */
interface OpenGroup {
  marks: Mark[];
  statements: string[];
  /** Where the sentence begins in the line. */
  sentenceStart: number;
  held: string;
}

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * Decides on groups of marks (`[1][3]`) by the statement they belong to: what stands between the mark before and this one,
 * else the whole sentence, else all sentences since the mark before. Only if none of these is supported, and the sentence
 * goes on behind the mark, is its rest held back until it ends.
 */
export const createMarkGroups = (check: SourceCheck): MarkGroups => {
  let out = "";
  /** The line so far without marks, and where the group before stands in it. */
  let line = "";
  let groupAt = 0;
  let lineBefore = "";
  let group: Mark[] = [];
  let open: OpenGroup | null = null;
  const cited = new Set<number>();
  const report = { dropped: 0, unsupported: 0, moved: 0, numbers: [] as string[], cited };

  /** Indexes of the marks that none of the statements supports; `moveTo` where one is clearly about another source. */
  const unsupported = (marks: readonly Mark[], statements: readonly string[]): Map<number, number | null> => {
    const named = marks.map(({ number }) => number - 1);
    const failed = new Map<number, number | null>();
    for (const [order, statement] of statements.entries()) {
      for (const [index, verdict] of check.judge(statement, named).entries()) {
        if (order === 0 && verdict.is === "unsupported") failed.set(index, verdict.moveTo);
        else if (verdict.is === "supported") failed.delete(index);
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
      else if (moveTo === null) report.unsupported++;
      else {
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
    const { statements, sentenceStart, isAfterLine } = statementsBefore(line, groupAt, lineBefore);
    groupAt = line.length;
    const failed = unsupported(marks, statements);
    const isUndecided = failed.size > 0 || statements.length === 0;
    if (isUndecided && (isAfterLine || !endsWithStop(line, line.length)))
      open = { marks, statements, sentenceStart, held: "" };
    else settle(marks, statements, failed);
  };

  const closeOpen = (): void => {
    if (open === null) return;
    const { marks, statements, sentenceStart, held } = open;
    open = null;
    const whole = [...statements, line.slice(sentenceStart)];
    settle(marks, statements, unsupported(marks, whole));
    out += held;
  };

  const isSentenceOver = ({ sentenceStart, held }: OpenGroup): boolean =>
    held.length > maxHeldCharacters || endOfSentence(line, sentenceStart, line.length) < line.length;

  const beginLine = (): void => {
    if (hasWord(line)) lineBefore = line;
    line = "";
    groupAt = 0;
  };

  const shortenLine = (): void => {
    if (open !== null || line.length <= 2 * maxLineCharacters) return;
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
      if (open !== null && (isLineEnd || isSentenceOver(open))) closeOpen();
      if (isLineEnd) beginLine();
      else shortenLine();
    },
    mark(number, hasSpace) {
      if (open !== null) closeOpen();
      if (!group.some((mark) => mark.number === number)) group.push({ number, hasSpace });
    },
    end() {
      if (group.length > 0) closeGroup();
      closeOpen();
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

/**
 * What a group of marks may belong to, the likeliest first.
 * @param from where the group before stands in the line
 */
const statementsBefore = (
  line: string,
  from: number,
  lineBefore: string,
): { statements: string[]; sentenceStart: number; isAfterLine: boolean } => {
  // Marks on a line of their own belong to the line before.
  const isAfterLine = !hasWord(line);
  const text = isAfterLine ? lineBefore : line;
  const since = isAfterLine ? 0 : from;
  let sentenceStart = 0;
  for (;;) {
    const end = endOfSentence(text, sentenceStart, text.length);
    if (!hasWord(text.slice(end))) break;
    sentenceStart = end;
  }
  const sentence = text.slice(sentenceStart);
  const own = text.slice(Math.max(since, sentenceStart));
  const statements = [...new Set([hasWord(own) ? own : sentence, sentence, text.slice(since)])].filter(hasWord);
  return { statements, sentenceStart: isAfterLine ? 0 : sentenceStart, isAfterLine };
};
