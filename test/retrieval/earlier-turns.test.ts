import { afterAll, expect, test } from "bun:test";
import { openLibrary, requestFor } from "../../tools/samples/snippets.ts";

const library = await openLibrary();
await library.put("Hours", "The reading room opens at eight in summer. In winter it opens at nine.");
afterAll(() => library.close());

const first = "When does the reading room open in summer?";
const follow = (query: string, answer: string) => {
  const history = [
    { role: "user" as const, text: first },
    { role: "assistant" as const, text: answer },
  ];
  const retrieve = library.retriever({ refusalThreshold: 0.5 });
  return retrieve(library.tenant, requestFor(query, { history }), new AbortController().signal);
};

test("a follow-up is not refused for what a model wrote around its last answer", async () => {
  const { confidence } = await follow("And in winter?", "At eight.");
  const chatty = await follow(
    "And in winter?",
    "Great question! Excellent choice, dear visitor: according to everything provided herein, 日本, naïve quick café parrots answer that [1].",
  );
  expect(chatty.snippets).toHaveLength(1);
  expect(chatty.confidence).toBeCloseTo(confidence, 1);
});

test("a follow-up about something that the documents lack is refused all the same", async () => {
  const { snippets } = await follow("And where do giraffes buy submarines?", "At eight.");
  expect(snippets).toEqual([]);
});
