import type { MarkReport } from "./checked-marks.ts";
import { createMarkGroups } from "./mark-groups.ts";
import { createSourceCheck, type Source, type SourceCheck } from "./source-check.ts";

/**
 * Checks the source marks of a model's answer, `[1]`, while the answer is streamed. A mark that points to no snippet, or to
 * one that does not support its statement, is removed (with the space before it) and counted; as long as nothing in the
 * answer was supported, it is left and counted. `[1, 3]` and `[1-3]` become `[1][3]` and `[1][2][3]`. Code spans and fenced
 * code are not changed.
 */
export interface CitationFilter {
  /** @returns the text that is checked and not yet returned; the end of it may wait for more */
  push(text: string): string;
  /** @returns the rest */
  end(): string;
  /** Whether only white space is waiting. */
  isEmpty(): boolean;
  readonly report: MarkReport;
}

/** A mark, with the one space before it. */
const mark = /^ ?\[\s*(\d{1,3}(?:\s*[-–]\s*\d{1,3})?(?:\s*[,;]\s*\d{1,3}(?:\s*[-–]\s*\d{1,3})?)*)\s*\]/;
const marks = / ?\[\s*\d{1,3}(?:\s*[-–]\s*\d{1,3})?(?:\s*[,;]\s*\d{1,3}(?:\s*[-–]\s*\d{1,3})?)*\s*\]/g;
/** The beginning of a mark that more text may complete. */
const beginning = /^ ?(?:\[[\d\s,;–-]{0,60})?$/;
const backticks = /^`+/;
/** Backticks that open fenced code; fewer open a code span. */
const fenceLength = 3;

/** @param sources what the marks may point to: `[1]` is the first */
export const createCitationFilter = (
  sources: readonly Source[],
  check: SourceCheck = createSourceCheck(sources),
): CitationFilter => {
  let pending = "";
  /** Number of backticks that opened the current code; 0 outside of code. */
  let fence = 0;
  const groups = createMarkGroups(check);
  const { report } = groups;

  const settleMark = (list: string, hasSpace: boolean): void => {
    let isFirst = true;
    for (const part of list.split(/[,;]/)) {
      const [from = 0, to = from] = part.split(/[-–]/).map(Number);
      for (let number = from; number <= Math.max(from, to); number++) {
        if (number < 1 || number > sources.length) {
          report.dropped++;
          break;
        }
        groups.mark(number, hasSpace && isFirst);
        isFirst = false;
      }
    }
  };

  const settle = (isFinal: boolean): string => {
    let at = 0;
    let textFrom = 0;
    const passText = (): void => {
      if (at > textFrom) groups.text(pending.slice(textFrom, at), fence >= fenceLength);
      textFrom = at;
    };
    while (at < pending.length) {
      const character = pending[at];
      if (character === "`") {
        const run = backticks.exec(pending.slice(at, at + 80))?.[0].length ?? 1;
        if (!isFinal && at + run === pending.length) break;
        passText();
        if (fence === 0) fence = run;
        else if (fence === run) fence = 0;
        at += run;
      } else if (character === "\n") {
        at++;
        passText();
        // A code span ends with its line, so that a stray backtick does not turn off the check.
        if (fence < fenceLength) fence = 0;
      } else if (fence === 0 && (character === "[" || character === " ")) {
        const found = mark.exec(pending.slice(at, at + 80));
        if (found !== null) {
          passText();
          settleMark(found[1] ?? "", character === " ");
          at += found[0].length;
          textFrom = at;
        } else if (!isFinal && beginning.test(pending.slice(at, at + 80))) {
          break;
        } else at++;
      } else at++;
    }
    passText();
    pending = pending.slice(at);
    return groups.take();
  };

  return {
    push(text) {
      pending += text;
      return settle(false);
    },
    end() {
      const settled = settle(true);
      groups.end();
      return settled + groups.take();
    },
    isEmpty: () => pending.trim() === "" && !groups.isHolding(),
    report,
  };
};

/** The text without marks. Earlier answers are shown to a model so, because their marks point to other sources. */
export const withoutMarks = (text: string): string => text.replace(marks, "");
