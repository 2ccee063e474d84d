import { inParallel } from "../../src/async/in-parallel.ts";
import type { Entry } from "./ledger.ts";

/** Of a larger store, this many documents are also searched for; each is asked for by its id. */
const maxSearched = 300;
const atOnce = 4;

/** Compares what a restored server holds with what it must hold. */
export const compareRestored = async (
  url: string,
  key: string,
  due: readonly Entry[],
  random: () => number,
): Promise<{ due: number; searched: number; missing: string[] }> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const missing: string[] = [];
  const share = maxSearched / Math.max(due.length, 1);
  let searched = 0;
  await inParallel(due, atOnce, async ({ id, word, isFile }) => {
    const response = await fetch(`${url}/api/document/${id}`, { headers });
    const document = response.ok ? ((await response.json()) as { status: string; originalText: string }) : null;
    if (document === null) return void missing.push(`${word}: answered ${response.status}`);
    if (document.status !== "processed" || !document.originalText.includes(word))
      return void missing.push(`${word}: ${document.status}, without its text`);
    if (random() > share) return;
    searched += 1;
    const found = await fetch(`${url}/api/search`, {
      method: "POST",
      headers,
      body: JSON.stringify({ query: `keeper of ${word}`, documentId: id }),
    });
    const { relevantSnippets = [] } = (await found.json()) as { relevantSnippets?: { content?: string }[] };
    if (!JSON.stringify(relevantSnippets).includes(word)) missing.push(`${word}: not found`);
    if (!isFile) return;
    const file = await fetch(`${url}/api/document/${id}/file`, { headers });
    if (!file.ok || !(await file.text()).includes(word)) missing.push(`${word}: without its file`);
  });
  return { due: due.length, searched, missing };
};
