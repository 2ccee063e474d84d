/**
 * Marks of sources in a model's answer, `[1]`, checked while the answer streams by. A mark that points to no snippet
 * is taken out (with the space before it) and counted; `[1, 3]` and `[1-3]` become `[1][3]` and `[1][2][3]`. Code
 * spans and fenced code are left alone.
 */
export interface CitationFilter {
  /** @returns what of the answer so far is settled and not yet returned */
  push(text: string): string;
  /** @returns the rest */
  end(): string;
  /** Nothing but white space is held back. */
  isEmpty(): boolean;
  /** Marks that pointed nowhere. */
  readonly dropped: number;
  /** Numbers of the snippets that the answer names. */
  readonly cited: ReadonlySet<number>;
}

/** A mark, with the one space before it. */
const mark = /^ ?\[\s*(\d{1,3}(?:\s*[-–]\s*\d{1,3})?(?:\s*[,;]\s*\d{1,3}(?:\s*[-–]\s*\d{1,3})?)*)\s*\]/;
const marks = / ?\[\s*\d{1,3}(?:\s*[-–]\s*\d{1,3})?(?:\s*[,;]\s*\d{1,3}(?:\s*[-–]\s*\d{1,3})?)*\s*\]/g;
/** What may still become a mark when more text comes. */
const beginning = /^ ?(?:\[[\d\s,;–-]{0,60})?$/;
const backticks = /^`+/;

/** @param snippets how many snippets there are to point to */
export const createCitationFilter = (snippets: number): CitationFilter => {
  let pending = "";
  let dropped = 0;
  /** Length of the run of backticks that opened the code we are in; 0 outside. */
  let fence = 0;
  const cited = new Set<number>();

  const settleMark = (list: string, space: boolean): string => {
    let marks = "";
    for (const part of list.split(/[,;]/)) {
      const [from = 0, to = from] = part.split(/[-–]/).map(Number);
      for (let n = from; n <= Math.max(from, to); n++) {
        if (n < 1 || n > snippets) {
          dropped++;
          break;
        }
        cited.add(n);
        marks += `[${n}]`;
      }
    }
    return marks === "" ? "" : (space ? " " : "") + marks;
  };

  const settle = (final: boolean): string => {
    let out = "";
    let at = 0;
    while (at < pending.length) {
      const character = pending[at];
      const interesting =
        character === "`" || character === "\n" || (fence === 0 && (character === "[" || character === " "));
      if (!interesting) {
        out += character;
        at++;
        continue;
      }
      const rest = pending.slice(at, at + 80);
      if (character === "`") {
        const run = backticks.exec(rest)?.[0].length ?? 1;
        if (!final && at + run === pending.length) break;
        if (fence === 0) fence = run;
        else if (fence === run) fence = 0;
        out += pending.slice(at, at + run);
        at += run;
      } else if (character === "\n") {
        // A code span does not outlive its line: a stray backtick must not switch the check off for good.
        if (fence < 3) fence = 0;
        out += character;
        at++;
      } else {
        const found = mark.exec(rest);
        if (found !== null) {
          out += settleMark(found[1] ?? "", character === " ");
          at += found[0].length;
        } else if (!final && beginning.test(pending.slice(at))) {
          break;
        } else {
          out += character;
          at++;
        }
      }
    }
    pending = pending.slice(at);
    return out;
  };

  return {
    push(text) {
      pending += text;
      return settle(false);
    },
    end: () => settle(true),
    isEmpty: () => pending.trim() === "",
    get dropped() {
      return dropped;
    },
    cited,
  };
};

/** The text without any marks: how an earlier answer is shown to a model, whose sources are others now. */
export const withoutMarks = (text: string): string => text.replace(marks, "");
