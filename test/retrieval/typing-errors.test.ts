import { expect, test } from "bun:test";
import { openLibrary } from "../../tools/samples/snippets.ts";

test("a question with a typing error finds what the question without it finds, and says what was searched for", async () => {
  const library = await openLibrary();
  await library.put("Espresso machine", "The warranty period is 24 months. Spare parts are delivered within a week.");
  await library.put("Coffee grinder", "The grinder is cleaned every month. Its burrs are made of steel.");
  const right = await library.find("How long is the warranty?", {
    history: [{ role: "user", text: "And the grinder?" }],
  });
  const wrong = await library.find("How long is the waranty?", {
    history: [{ role: "user", text: "And the grindder?" }],
  });

  expect(wrong.snippets).toEqual(right.snippets);
  expect(wrong.confidence).toBe(right.confidence);
  expect([wrong.query, wrong.understood]).toEqual([right.query, right.understood]);
  expect(right.warnings).toEqual([]);
  expect(wrong.warnings).toEqual([
    'No document has "waranty": "warranty" was searched for. Put it in quotation marks to search for it as it is written.',
  ]);
  await library.close();
});

test("a compound that no document has finds its parts", async () => {
  const library = await openLibrary();
  await library.put("Brief", "Bitte lesen Sie Ihren Zähler (Nummer 1EMH0012345678) am 28. Februar ab.");
  await library.put("Küche", "Die Kaffeemühle wird jeden Monat gereinigt.");
  const found = await library.find("Wie ist die Zählernummer?");
  expect(found.snippets[0]?.text).toContain("1EMH0012345678");
  expect(found.warnings).toEqual([expect.stringContaining('"zähler nummer" was searched for')]);
  // Longer than any word: its parts are not looked up.
  const parts = ["a".repeat(21), "b".repeat(21)];
  await library.put("Silben", parts.join(" "));
  expect((await library.find(parts.join(""))).warnings).toEqual([]);
  await library.close();
});
