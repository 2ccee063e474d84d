import { noAnswerTexts } from "../../../src/answers/wording/no-answer.ts";
import type { Ask } from "./ask.ts";

/** How sure the answer was told: `receipt.certainty`. */
export type Certainty = "sure" | "unsure" | "none";

/** An answer as it came over HTTP. */
export interface Answered {
  text: string;
  snippets: number;
  certainty: Certainty;
}

/** `hedged`: the right text, told as unsure; of what is absent, also any other text told so. */
export type Outcome = "right" | "hedged" | "wrong" | "refused";

const refusals = new Set<string>(Object.values(noAnswerTexts));

/** Whether it says that the documents do not hold an answer, and nothing else; models are told to say so too. */
const isRefusal = (text: string): boolean => refusals.has(text.replace(/\s*\[\d+\]/g, "").trim());

/** Certainty of an answer whose receipt has none. */
export const certaintyOf = (text: string): Certainty => (isRefusal(text) ? "none" : "sure");

const matches = (ask: Pick<Ask, "mustMatch" | "mustNotMatch">, text: string): boolean =>
  ask.mustMatch.every((pattern) => new RegExp(pattern, "u").test(text)) &&
  !ask.mustNotMatch.some((pattern) => new RegExp(pattern, "u").test(text));

export const judge = (ask: Ask, { text, snippets, certainty }: Answered): Outcome => {
  if (isRefusal(text)) return "refused";
  if (ask.expects === "none-or-hedge")
    return certainty === "none" ? "refused" : certainty === "unsure" ? "hedged" : "wrong";
  if (ask.expects === "no-sources")
    return snippets === 0 && !/\[\d+\]/.test(text) && matches(ask, text) ? "right" : "wrong";
  if (matches(ask, text)) return certainty === "unsure" ? "hedged" : "right";
  return certainty === "none" ? "refused" : "wrong";
};

/** Whether an outcome is as it should be. */
export const isGood = ({ expects, sure }: Ask, outcome: Outcome): boolean =>
  expects === "none-or-hedge"
    ? outcome !== "wrong"
    : outcome === "right" || (outcome === "hedged" && sure !== true && expects === "answer");

const isTableLine = (line: string): boolean => /^\|.*\|$/.test(line);
const isDashes = (line: string): boolean => /^\|(?: *:?-{3,}:? *\|)+$/.test(line);
const cellsOf = (line: string): number => line.replaceAll("\\|", "").split("|").length;

/** Lines of an answer that are no rows of a whole Markdown table: head, dashes, and rows with as many cells. */
const outsideTables = (lines: readonly string[]): string[] => {
  const outside: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const head = lines[at] as string;
    const dashes = lines[at + 1] ?? "";
    if (!isTableLine(head) || !isDashes(dashes) || cellsOf(head) !== cellsOf(dashes)) {
      outside.push(head);
      at++;
      continue;
    }
    at += 2;
    while (at < lines.length && isTableLine(lines[at] as string) && cellsOf(lines[at] as string) === cellsOf(head))
      at++;
  }
  return outside;
};

/** A line of values with no space after the commas, semicolons or tabs between them; commas inside numbers are none. */
const isRawRow = (line: string): boolean => {
  const plain = line.replace(/(?<=\d),(?=\d)/g, "").replace(/\s*\[\d+\]\s*$/, "");
  return [",", ";", "\t"].some((separator) => {
    const parts = plain.split(separator);
    return parts.length > 2 && parts.slice(1).every((part) => !part.startsWith(" ") && part !== "");
  });
};

/** What makes an answer hard to read; empty where nothing does. Code blocks are left out. */
export const hardToRead = (text: string): string[] => {
  const prose = text.replace(/^(`{3,}|~{3,})[\s\S]*?^\1.*$/gm, "").replace(/`[^`\n]*`/g, "code");
  const lines = outsideTables(prose.split("\n").map((line) => line.trim()));
  const reasons: [string, (line: string) => boolean][] = [
    ["loose pipes", (line) => line.includes("|")],
    ["a raw row", isRawRow],
    ["a heading sign", (line) => /^#{1,6}\s/.test(line)],
    ["front matter", (line) => /^(?:---|(?:title|tags|author|created):\s.*)$/.test(line)],
    ["a footnote mark", (line) => /\[\^[^\]\s]+\]/.test(line)],
    ["a raw link", (line) => /\[[^\]]+\]\([^)\s]+\)/.test(line)],
  ];
  return reasons.filter(([, holds]) => lines.some(holds)).map(([reason]) => reason);
};
