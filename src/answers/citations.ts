/**
 * Checks the source marks of a model's answer, `[1]`, while the answer is streamed. A mark that points to no snippet is
 * removed (with the space before it) and counted; `[1, 3]` and `[1-3]` become `[1][3]` and `[1][2][3]`. Code spans and
 * fenced code are not changed.
 */
export interface CitationFilter {
  /** @returns the text that is checked and not yet returned; the end of it may wait for more */
  push(text: string): string;
  /** @returns the rest */
  end(): string;
  /** Whether only white space is waiting. */
  isEmpty(): boolean;
  /** Number of removed marks. */
  readonly dropped: number;
  /** Numbers of the snippets that the answer names. */
  readonly cited: ReadonlySet<number>;
}

/** A mark, with the one space before it. */
const mark = /^ ?\[\s*(\d{1,3}(?:\s*[-–]\s*\d{1,3})?(?:\s*[,;]\s*\d{1,3}(?:\s*[-–]\s*\d{1,3})?)*)\s*\]/;
const marks = / ?\[\s*\d{1,3}(?:\s*[-–]\s*\d{1,3})?(?:\s*[,;]\s*\d{1,3}(?:\s*[-–]\s*\d{1,3})?)*\s*\]/g;
/** The beginning of a mark that more text may complete. */
const beginning = /^ ?(?:\[[\d\s,;–-]{0,60})?$/;
const backticks = /^`+/;

/** @param snippets how many snippets there are to point to */
export const createCitationFilter = (snippets: number): CitationFilter => {
  let pending = "";
  let dropped = 0;
  /** Number of backticks that opened the current code; 0 outside of code. */
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
        // A code span ends with its line, so that a stray backtick does not turn off the check.
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

/** The text without marks. Earlier answers are shown to a model so, because their marks point to other sources. */
export const withoutMarks = (text: string): string => text.replace(marks, "");
