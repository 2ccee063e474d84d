import type { FoundSnippet } from "../../retrieval/contract.ts";
import { tableRow } from "../quote/cells.ts";
import type { Ask } from "../reading/ask.ts";
import type { Question } from "../reading/question.ts";
import { phrase } from "../wording/phrases.ts";

/** Questions that are told of, at most, the last ones. */
const maxRecalled = 5;

interface Again {
  snippets: FoundSnippet[];
  quote(snippets: readonly FoundSnippet[]): Promise<string>;
  isComplete: boolean;
}

/**
 * What an ask about the answer before it is answered from: the sources of that answer. Without a model the answer is given
 * again as far as quotations can be: shorter, or as a list; a translation or other words are said to be missing.
 */
export const conversation = (
  question: Question,
  { change, question: said }: Pick<Ask, "change" | "question">,
  language: string,
): Again => {
  const asked = question.history.filter(({ role }) => role === "user").map(({ text }) => text.trim());
  const last = question.history.findLast(({ role }) => role === "assistant")?.text ?? "";
  if (change === "recall") {
    const lines = [phrase(language, "asked"), ...asked.slice(-maxRecalled).map((text) => `- ${text}`)];
    return { snippets: [], quote: async () => lines.join("\n"), isComplete: asked.length > 0 };
  }
  if (last === "") return { snippets: [], quote: async () => phrase(language, "nothingBefore"), isComplete: true };
  return {
    snippets: [...question.lastSnippets],
    quote: async () => (change === "list" && ofTable.test(said) ? asTable(last) : changed(last, change, language)),
    isComplete: false,
  };
};

const ofTable = /(?<!\p{L})tab(?:le|ell|el|leau|la|lo)\p{L}{0,3}(?!\p{L})|таблиц|表/iu;
const marks = /(?: ?\[\d{1,3}\]){1,12}$/;

/** The lines of an answer as the rows of a table, each with its marks; those of a table stay as they are. */
const asTable = (last: string): string => {
  const lines = last.split("\n").filter((line) => line.trim() !== "");
  const told = lines.filter((line) => marks.test(line));
  if (told.length === 0 || lines.some((line) => line.startsWith("|"))) return last;
  const rows = told.map((line) => {
    const [mark = ""] = marks.exec(line) ?? [];
    return [line.slice(0, line.length - mark.length).replace(/^(?:[-*]|\d{1,3}[.)]) /, ""), mark.trim()];
  });
  return [
    ...lines.slice(0, lines.indexOf(told[0] ?? "")),
    "",
    tableRow(["", ""]),
    tableRow(["---", "---"]),
    ...rows.map(tableRow),
  ]
    .join("\n")
    .trim();
};

const changed = (last: string, change: Ask["change"], language: string): string => {
  const lines = last.split("\n").filter((line) => line.trim() !== "");
  if (change === "shorten") {
    const marked = lines.filter((line) => /\[\d+\]/.test(line));
    // A table has its mark on a line of its own.
    return marked.find((line) => /\p{L}/u.test(line)) ?? (marked.length > 0 ? last : (lines[0] ?? last));
  }
  if (change === "list")
    return lines.map((line) => (/^(?:[-*|]|\d+[.)]) ?/.test(line) ? line : `- ${line}`)).join("\n");
  return `${phrase(language, change === "translate" ? "cannotTranslate" : "cannotRephrase")}\n\n${last}`;
};
