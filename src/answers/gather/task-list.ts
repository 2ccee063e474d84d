import type { Tenant } from "../../domain/records.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";
import type { Store } from "../../store/contract.ts";
import { analyze, analyzeQuery, formsByWord } from "../../text/analysis/analyze.ts";
import { readable } from "../quote/readable.ts";
import type { Wishes } from "../reading/ask.ts";

/** Snippets that are looked at for a list of tasks. */
const maxSnippets = 4;
/** A text that is read for its list, in characters, and items of the list. */
const maxCharacters = 2_000_000;
const maxItems = 200;

const task = /^[ \t]*(?:[-*+] )?(?:\[([ xX])\]|([☐☑☒✓✔])) (\S.*)$/;

/** The items of a list of tasks that are open, or those that are done. */
export interface TaskList {
  items: string[];
  snippet: FoundSnippet;
}

/**
 * What is still to be done, or is done, of the list of tasks that a snippet is a part of: of the whole list, as it stands in
 * its document.
 * @param snippets best first
 * @returns null where nothing of the kind is asked for, or no list is about it
 */
export const taskList = async (
  store: Pick<Store, "documents">,
  tenant: Tenant,
  snippets: readonly FoundSnippet[],
  question: string,
  { open, done }: Pick<Wishes, "open" | "done">,
): Promise<TaskList | null> => {
  if (open === done) return null;
  const { terms, isOfFunctionWords } = analyzeQuery(question);
  const words = isOfFunctionWords ? [] : formsByWord(terms);
  for (const snippet of snippets.slice(0, maxSnippets)) {
    if (!snippet.text.split("\n").some((line) => task.test(line))) continue;
    const document = await store.documents.get(tenant, snippet.documentId);
    const text = document === null ? null : await store.documents.getText(document);
    if (document === null || text === null || text.length > maxCharacters) continue;
    const tasks = tasksAround(text, snippet.start, snippet.end);
    const titles = snippet.text.split("\n").filter((line) => line.startsWith("#"));
    const about = [document.name, ...snippet.headings, ...titles, ...tasks.map(({ said }) => said)].join("\n");
    const held = new Set(analyze(about));
    if (tasks.length < 2 || (words.length > 0 && !words.some((forms) => forms.some((form) => held.has(form)))))
      continue;
    const items = tasks.filter(({ isDone }) => isDone === done).map(({ said }) => readable(said));
    return { items, snippet };
  }
  return null;
};

interface Task {
  said: string;
  isDone: boolean;
}

/** The tasks of the list that a part of a text lies in: up to the next lines that are neither items nor blank. */
const tasksAround = (text: string, start: number, end: number): Task[] => {
  const lines = text.split("\n");
  let at = 0;
  let [first, last] = [-1, -1];
  for (const [index, line] of lines.entries()) {
    if (at < end && at + line.length >= start && task.test(line)) {
      if (first < 0) first = index;
      last = index;
    }
    at += line.length + 1;
  }
  if (first < 0) return [];
  const isOfList = (index: number): boolean => /^\s*$|^\s+\S|^[-*+☐☑☒✓✔[]/.test(lines[index] ?? "#");
  while (first > 0 && isOfList(first - 1)) first--;
  while (last < lines.length - 1 && isOfList(last + 1)) last++;
  return lines
    .slice(first, last + 1)
    .flatMap((line) => {
      const [, box, sign, said = ""] = task.exec(line) ?? [];
      return said === "" ? [] : [{ said, isDone: sign === undefined ? box !== " " : sign !== "☐" }];
    })
    .slice(0, maxItems);
};
