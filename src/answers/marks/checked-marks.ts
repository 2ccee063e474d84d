import type { SourceCheck } from "./source-check.ts";

/** A mark as the model wrote it: `[1]`, or ` [1]`. */
export interface Mark {
  number: number;
  hasSpace: boolean;
}

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

/** Marks that no statement supports, by their index in the group; where one is clearly about another source, its index. */
export type Unsupported = ReadonlyMap<number, number | null>;

/** Compares marks with their sources, and writes them accordingly. */
export interface CheckedMarks {
  /** @param statements what the marks may belong to, the likeliest first: one that supports a mark is enough */
  check(marks: readonly Mark[], statements: readonly string[]): Unsupported;
  /** @returns the marks that the answer keeps, as they are written into it */
  write(marks: readonly Mark[], statements: readonly string[], unsupported: Unsupported): string;
  readonly report: MarkReport;
}

export const createCheckedMarks = (source: SourceCheck): CheckedMarks => {
  const cited = new Set<number>();
  const report = { dropped: 0, unsupported: 0, doubtful: 0, moved: 0, numbers: [] as string[], cited };
  /** A model that speaks of its sources in words of its own, throughout, cannot be checked by words. */
  let isAnySupported = false;

  const keep = (marks: readonly Mark[], unsupported: Unsupported): Mark[] => {
    const kept: Mark[] = [];
    for (const [index, mark] of marks.entries()) {
      const moveTo = unsupported.get(index);
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
    return kept.filter(({ number }, index) => kept.findIndex((other) => other.number === number) === index);
  };

  return {
    check(marks, statements) {
      const named = marks.map(({ number }) => number - 1);
      const unsupported = new Map<number, number | null>();
      for (const [order, statement] of statements.entries()) {
        for (const [index, verdict] of source.judge(statement, named).entries()) {
          if (order === 0 && verdict.is === "unsupported") unsupported.set(index, verdict.moveTo);
          else if (verdict.is === "supported") {
            unsupported.delete(index);
            isAnySupported = true;
          }
        }
        if (unsupported.size === 0) break;
      }
      return unsupported;
    },
    write(marks, statements, unsupported) {
      const kept = keep(marks, unsupported);
      if (kept.length === 0) return "";
      const numbers = kept.map(({ number }) => number);
      for (const number of numbers) cited.add(number);
      const names = numbers.map((number) => `[${number}]`).join("");
      const missing = source.missingNumbers(
        statements[0] ?? "",
        numbers.map((number) => number - 1),
      );
      report.numbers.push(...missing.map((number) => `${number} ${names}`));
      return kept.map(({ number, hasSpace }) => `${hasSpace ? " " : ""}[${number}]`).join("");
    },
    report,
  };
};

/** Numbers named in a warning; further ones are counted. */
const maxNumbersNamed = 5;

/**
 * What the receipt says of an answer's marks: which were taken out or moved, and which numbers the marked snippets do not
 * contain.
 * @param expectMarks the prompt asked for marks, so an answer without any is worth a warning
 */
export const markWarnings = (report: MarkReport, expectMarks: boolean): string[] => {
  const { dropped, unsupported, doubtful, moved, numbers, cited } = report;
  const warnings: string[] = [];
  if (dropped > 0) warnings.push(`${marks(dropped)} pointed to no snippet and ${were(dropped)} taken out.`);
  if (unsupported > 0)
    warnings.push(
      `${marks(unsupported)} pointed to a snippet that does not support the statement and ${were(unsupported)} taken out.`,
    );
  if (doubtful > 0)
    warnings.push(
      `${marks(doubtful)} may not be supported by the snippet: the snippet contains hardly a word of the statement. Check ${doubtful === 1 ? "it" : "them"}.`,
    );
  if (moved > 0) warnings.push(`${marks(moved)} ${were(moved)} moved to the snippet that supports the statement.`);
  if (numbers.length > 0) {
    const named = numbers.slice(0, maxNumbersNamed).join(", ");
    const more = numbers.length > maxNumbersNamed ? ` and ${numbers.length - maxNumbersNamed} more` : "";
    warnings.push(`Numbers in the answer that the marked snippets do not contain: ${named}${more}.`);
  }
  if (expectMarks && cited.size === 0 && dropped + unsupported === 0)
    warnings.push("The model marked no sources: check the answer against the snippets.");
  return warnings;
};

const marks = (count: number): string => (count === 1 ? "1 mark in the answer" : `${count} marks in the answer`);

const were = (count: number): string => (count === 1 ? "was" : "were");
