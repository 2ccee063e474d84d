import { afterAll, describe, expect, test } from "bun:test";
import type { RetrievalRequest } from "../../src/retrieval/contract.ts";
import { asDocumentsSpell } from "../../src/retrieval/conversation-terms.ts";
import { openLibrary, requestFor } from "../../tools/samples/snippets.ts";

const library = await openLibrary();
await library.put("Espresso machine", "The warranty period is 24 months. Descaling is needed every three months.");
await library.put("Mietvertrag", "Die Kündigungsfrist beträgt drei Monate. Haustiere sind erlaubt.");
await library.put("Правила", "Читальный зал открыт для посетителей до восьми часов вечера.");
await library.put("Team", "Ana Kowalska leads the translation team.", { partitionId: "staff" });
afterAll(() => library.close());

const spelled = async (query: string, change: Partial<RetrievalRequest> = {}, partitionId: string | null = null) => {
  const view = library.store.openSnippets();
  try {
    return await asDocumentsSpell(view, { ...library.tenant, partitionId }, requestFor(query, change));
  } finally {
    view.close();
  }
};

describe("a word that no document has becomes theirs that it is a typing error of", () => {
  test.each([
    ["How long is the waranty period?", "How long is the warranty period?"],
    ["Waranty peroid", "warranty period"],
    ["How often is desacling needed?", "How often is Descaling needed?"],
    ["Wie lang ist die Kündigunsfrist?", "Wie lang ist die Kündigungsfrist?"],
    ["Sind Haustire erlaubt?", "Sind Haustiere erlaubt?"],
    ["До какого часа открыт читалный зал?", "До какого часа открыт Читальный зал?"],
    ["Who is Kowalskaa?", "Who is Kowalska?"],
    ["Wie lang ist die Gündigungsfrist?", "Wie lang ist die Kündigungsfrist?"],
    ["Which esspresso machine?", "Which espresso machine?"], // in a name alone
  ])("%s", async (query, expected) => {
    expect((await spelled(query)).request.query).toBe(expected);
  });
});

describe("a question stays as it is", () => {
  test.each([
    ["its words are there", "How long is the warranty period?"],
    ["a word that people use", "How long is the garden period?"],
    ["a word that no other is near", "How long is the Zollverein period?"],
    ["a word in quotation marks", 'Where is "waranty" written?'],
    ["a code", "What is warant1 for?"],
    ["a short word", "What is a moth?"],
    ["another first letter of a word that is not long", "How long is the karranty period?"],
    ["no words", "?!"],
    ["characters of a pattern", "How (long) is [the] wa.ranty* period?"],
  ])("%s", async (_, query) => {
    const { request, replaced } = await spelled(query);
    expect({ query: request.query, replaced }).toEqual({ query, replaced: [] });
  });
});

test("words of documents that the asker may not read are not told", async () => {
  expect((await spelled("Who is Kowalskaa?", {}, "guests")).request.query).toBe("Who is Kowalskaa?");
  expect((await spelled("Who is Kowalskaa?", {}, "staff")).request.query).toBe("Who is Kowalska?");
});

test("of turns before the question, the user's are corrected too, and nothing is said of them", async () => {
  const history: RetrievalRequest["history"] = [
    { role: "user", text: "How long is the waranty?" },
    { role: "assistant", text: "The waranty is not known." },
  ];
  const { request, replaced } = await spelled("And the peroid?", { history });
  expect(request.query).toBe("And the period?");
  expect(request.history.map(({ text }) => text)).toEqual(["How long is the warranty?", "The waranty is not known."]);
  expect(replaced).toEqual([{ written: "peroid", meant: "period" }]);
});

test("a long question of unknown words is cut short", async () => {
  const query = Array.from({ length: 500 }, (_, at) => `warantyy${String.fromCharCode(97 + (at % 26))}x`).join(" ");
  expect((await spelled(query)).replaced.length).toBeLessThanOrEqual(4);
});
