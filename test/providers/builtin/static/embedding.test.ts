import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createStaticEmbedding } from "../../../../providers/builtin/static/embedding.ts";

const embedding = await createStaticEmbedding();
const { signal } = new AbortController();

async function vectorOf(text: string): Promise<Float32Array> {
  const [vector] = await embedding.embed([text], "document", signal);
  if (!vector) throw new Error("no vector");
  return vector;
}

const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

describe("static embedding", () => {
  test("says what it is", async () => {
    expect([embedding.provider, embedding.model]).toEqual(["builtin", "static"]);
    expect(await embedding.dimensions(signal)).toBe(256);
    expect(embedding.revision).toMatch(/^[0-9a-f]{16}$/);
  });

  test("puts texts of like meaning nearer than others", async () => {
    const query = await vectorOf("How do I get my money back?");
    const near = await vectorOf("Refunds are paid to the customer's account within ten days.");
    const far = await vectorOf("The bridge over the river was built in the twelfth century.");
    expect(cosine(query, near)).toBeGreaterThan(cosine(query, far) + 0.15);
  });

  test.each([
    ["Wie schwer ist die Maschine?", "The unit weighs 12 kilograms.", "The office opens at nine o'clock."],
    ["Where can I park my car?", "Stellplätze für Fahrzeuge sind im Hof.", "Die Miete beträgt 900 Euro im Monat."],
    ["¿Cuánto cuesta el alquiler?", "The rent is 900 euros a month.", "Dogs are kept on a lead."],
    ["Во сколько обойдётся покрасить волосы?", "Окрашивание — 3000 рублей.", "Салон открыт до восьми."],
  ])("knows other words for the same in other languages: %s", async (query, near, far) => {
    const asked = await vectorOf(query);
    expect(cosine(asked, await vectorOf(near))).toBeGreaterThan(cosine(asked, await vectorOf(far)) + 0.03);
  });

  test("an empty list gives an empty list, an empty text a zero vector", async () => {
    expect(await embedding.embed([], "document", signal)).toEqual([]);
    for (const text of ["", " \n\u200b"]) expect((await vectorOf(text)).every((value) => value === 0)).toBe(true);
  });

  test("one unit vector a text in the order given, whatever stands beside it", async () => {
    const texts = fc.array(fc.string({ unit: "binary", maxLength: 80 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const vectors = await embedding.embed(given, "query", signal);
        expect(vectors.length).toBe(given.length);
        for (const [index, vector] of vectors.entries()) {
          expect(vector).toEqual(await vectorOf(given[index] ?? ""));
          const length = Math.sqrt(cosine(vector, vector));
          expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
        }
      }),
    );
  });

  test("a long text counts to its end", async () => {
    const bridge = "The bridge over the river was built of stone. ".repeat(2000);
    const refund = "Refunds are paid to the customer's account. ".repeat(6000);
    const both = await vectorOf(bridge + refund);
    expect(cosine(both, await vectorOf(refund))).toBeGreaterThan(cosine(both, await vectorOf(bridge)));
  });

  test("lets other events run meanwhile, and texts of two calls do not mix", async () => {
    const texts = Array.from({ length: 3000 }, (_, index) => `Passage ${index}. ${"word and number ".repeat(60)}`);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const [first, second] = await Promise.all([
      embedding.embed(texts, "document", signal),
      embedding.embed(texts.toReversed(), "document", signal),
    ]);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
    expect(second.toReversed()).toEqual(first);
  });

  test("an abort stops the work with a ProviderError", async () => {
    const controller = new AbortController();
    const work = embedding.embed(["some words ".repeat(2_000_000), "more"], "document", controller.signal);
    controller.abort();
    await expect(work).rejects.toMatchObject({ name: "ProviderError", kind: "aborted", service: "embedding" });
  });

  test("weighs in the fusion where the query's words are known, and not where they are foreign", () => {
    expect(embedding.fusionWeight("how do i get my money back")).toBeCloseTo(0.25, 5);
    // 15 of 29 word characters are in known words.
    expect(embedding.fusionWeight("money back please qzxvwkjfpgqxzv")).toBeCloseTo((0.25 * (15 / 29)) / 0.7, 5);
    for (const query of ["", "?!", "ภาษาไทยไม่มีเว้นวรรค"]) expect(embedding.fusionWeight(query)).toBe(0);
    for (const query of ["东京塔在哪里", "wie bekomme ich mein Geld zurück", "Сколько стоит билет"])
      expect(embedding.fusionWeight(query)).toBeGreaterThan(0.15);
  });
});
