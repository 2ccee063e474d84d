import { afterAll, describe, expect, test } from "bun:test";
import type { StreamedEvent } from "../read-events.ts";
import { expectEventStream, expectOk, expectProblem, nobody } from "./expectations.ts";
import { openLibraries } from "./library.ts";
import type { Answer } from "./serve-carrel.ts";

/** Section 5 of the contract: scope, snippets, answer, receipt and streams of questions. */

type Json = Answer["body"];

const { quoting, writing, model, stop } = await openLibraries();

afterAll(() => stop());

const documentsOf = (answer: Json): string[] =>
  answer.relevantSnippets.map((one: Json) => one.metadata.documentUploadId);

describe("how many snippets", () => {
  test.each(["1", "2", 1, 2, "50", 50])("numberOfDocumentsInContext %p, as text or number", async (count) => {
    const { relevantSnippets } = expectOk(await quoting.ask({ numberOfDocumentsInContext: count }));
    expect(relevantSnippets.length).toBeLessThanOrEqual(Number(count));
    expect(relevantSnippets.length).toBeGreaterThanOrEqual(Math.min(Number(count), 2));
  });

  test("six where nothing is said", async () => {
    for (let at = 0; at < 9; at += 1) {
      const json = { name: `Lamp ${at}`, text: `The lighthouse number ${at} has a green lamp.`, partition: "Lamps" };
      await quoting.carrel.call("POST", "/api/ingest", { json });
    }
    expect(expectOk(await quoting.ask({ query: "Which lamp has the lighthouse?" })).relevantSnippets).toHaveLength(6);
  });
});

describe("scope", () => {
  test("documentId, partitionId, or both, which must hold", async () => {
    const { winter, summer, ask } = quoting;
    const [documentId, { partitionId }] = [winter.id, winter];
    for (const scope of [{ documentId }, { partitionId }, { documentId, partitionId }])
      expect(new Set(documentsOf(expectOk(await ask(scope))))).toEqual(new Set([documentId]));
    expect(documentsOf(expectOk(await ask({})))).toContainValues([documentId, summer.id]);
    const contradictory = await ask({ documentId, partitionId: summer.partitionId });
    expect(expectProblem(contradictory, 400, "scope_conflict").errors[0].path).toBe("documentId");
  });

  test("unknown ids are 404, for questions and searches", async () => {
    for (const path of ["/api/query", "/api/search"]) {
      for (const [field, code] of [
        ["documentId", "document_not_found"],
        ["partitionId", "partition_not_found"],
      ] as const)
        expectProblem(await quoting.carrel.call("POST", path, { json: { query: "q", [field]: nobody } }), 404, code);
    }
  });

  test.each<[object, ("winter" | "summer")[]]>([
    [{ source: "handbook" }, ["winter"]],
    [{ source: { $in: ["handbook", "site"] } }, ["winter", "summer"]],
    [{ year: { $gt: 2024 } }, ["summer"]],
    [{ year: { $gte: 2024, $lt: 2026 } }, ["winter"]],
    [{ year: { $lte: 2024 } }, ["winter"]],
    [{ source: { $ne: "handbook" } }, ["summer"]],
    [{ tags: "a'b" }, ["winter"]],
    [{ tags: { $ne: "a'b" } }, ["summer"]],
    [{ source: "' OR 1=1 --" }, []],
    [{ "source'": "handbook" }, []],
  ])("metadata %o", async (metadata, expected) => {
    const { ask } = quoting;
    for (const value of [metadata, JSON.stringify(metadata)]) {
      const found = expectOk(await ask({ metadata: value, query: "When does the museum open?" }));
      const museums = documentsOf(found).filter((id) => [quoting.winter.id, quoting.summer.id].includes(id));
      expect(new Set(museums)).toEqual(new Set(expected.map((name) => quoting[name].id)));
    }
  });

  test("$ne holds where the key is missing", async () => {
    const { relevantDocuments } = expectOk(
      await quoting.ask({ query: "When does the ferry leave?", metadata: { source: { $ne: "site" } } }),
    );
    expect(relevantDocuments[0].name).toBe("Ferry");
  });
});

describe("the answer", () => {
  test("marks its sources [1], [2] in the order of relevantSnippets", async () => {
    const answer = expectOk(await quoting.ask({ query: "When does the museum open in winter?" }));
    const marks = [...answer.answer.matchAll(/\[(\d+)\]/g)].map(([, mark]: string[]) => Number(mark));
    expect(marks.length).toBeGreaterThan(0);
    for (const mark of marks) expect(mark).toBeLessThanOrEqual(answer.relevantSnippets.length);
    expect(answer.relevantSnippets[(marks[0] ?? 0) - 1].metadata.content).toContain("at nine");
    expect(answer.answer).toContain("at nine");
  });

  test("snippets' metadata carries page, headings, start and end", async () => {
    const { relevantSnippets } = expectOk(await quoting.ask({ documentId: quoting.winter.id }));
    const [{ metadata }] = relevantSnippets;
    expect(metadata.page).toBeNull();
    expect(metadata.headings).toContain("Museum");
    expect(quoting.winter.text.slice(metadata.start, metadata.end)).toContain("In winter the museum opens at nine.");
  });

  test("relevantDocuments: those of the snippets, in the order of the best one, each once", async () => {
    const answer = expectOk(await quoting.ask({ numberOfDocumentsInContext: 50 }));
    expect(answer.relevantDocuments.map(({ id }: Json) => id)).toEqual([...new Set(documentsOf(answer))]);
  });

  test("_distance is the cosine distance of the snippet's vector from the query's, in [0, 2]", async () => {
    const { relevantSnippets } = expectOk(await quoting.ask({ query: "In summer the museum opens at eight." }));
    for (const { metadata } of relevantSnippets) {
      expect(metadata._distance).toBeGreaterThanOrEqual(0);
      expect(metadata._distance).toBeLessThanOrEqual(2);
    }
    const same = relevantSnippets.find((one: Json) => one.metadata.documentUploadId === quoting.summer.id);
    expect(same.metadata._distance).toBeLessThan(0.3);
  });

  test("the receipt says what was searched, kept, dropped, by whom and how long", async () => {
    const { receipt, relevantSnippets } = expectOk(await quoting.ask({}));
    const { searched, context, model: writer, timings } = receipt;
    for (const name of ["documents", "snippets", "text", "vectors"]) expect(searched[name], name).toBeGreaterThan(0);
    for (const name of ["retrievalMs", "answerMs", "totalMs"]) expect(timings[name], name).toBeNumber();
    expect([writer.provider, typeof writer.name]).toEqual(["builtin", "string"]);
    expect(context.used).toBeGreaterThan(0);
    expect(context.limit === null || context.limit >= context.used).toBe(true);
    expect([receipt.kept, receipt.warnings]).toEqual([relevantSnippets.length, []]);
    expect(Array.isArray(receipt.dropped)).toBe(true);
    for (const { reason, count } of receipt.dropped)
      expect([typeof reason, typeof count]).toEqual(["string", "number"]);
  });

  test("nothing relevant: the answer says so, relevantSnippets is [], no model is called", async () => {
    for (const { ask } of [quoting, writing]) {
      const before = model.prompts.length;
      const answer = expectOk(await ask({ query: "What is the airspeed of an unladen swallow?" }));
      expect(answer).toMatchObject({ relevantSnippets: [], relevantDocuments: [] });
      expect(answer.answer).toMatch(/documents do not hold/i);
      expect(model.prompts.length).toBe(before);
    }
  });

  test("an empty organization answers the same way", async () => {
    const key = await quoting.carrel.foreignKey("empty");
    const answer = expectOk(await quoting.ask({}, { key }));
    expect(answer).toMatchObject({ relevantSnippets: [], relevantDocuments: [] });
    expect(answer.receipt.searched).toEqual({ documents: 0, snippets: 0, text: 0, vectors: 0 });
  });

  test('"answer": false, and /api/search, return snippets only; answer is null', async () => {
    const before = model.prompts.length;
    const off = expectOk(await writing.ask({ answer: false }));
    const search = expectOk(
      await writing.carrel.call("POST", "/api/search", { json: { query: "When does the museum open?" } }),
    );
    for (const answer of [off, search]) {
      expect(answer.answer).toBeNull();
      expect(answer.relevantSnippets.length).toBeGreaterThan(0);
      expect(answer.receipt.model).toBeNull();
    }
    expect(search.relevantSnippets).toEqual(off.relevantSnippets);
    expect(model.prompts.length).toBe(before);
  });

  test("quotes and SQL in a question harm nothing", async () => {
    for (const query of [
      "museum' OR '1'='1",
      'museum "opens"',
      "museum; DROP TABLE documents",
      "museum AND (NOT",
      "+museum -opens",
      "mus*eum? [a-z]",
      "museum\\",
      "{query} {contextText} museum",
    ]) {
      expect(Array.isArray(expectOk(await quoting.ask({ query })).relevantSnippets), query).toBe(true);
    }
    expect(documentsOf(expectOk(await quoting.ask({}))).length).toBeGreaterThan(1);
  });
});

describe("streaming", () => {
  const cases: [string, object, object][] = [
    ["Accept: text/event-stream", {}, { headers: { accept: "text/event-stream" } }],
    ['"stream": true', { stream: true }, {}],
  ];
  test.each(cases)(
    "%s: events snippets, delta and done, which is the whole JSON answer",
    async (_name, json, options) => {
      for (const library of [quoting, writing]) {
        model.say({ steps: ["At ", "nine.\n", "\r\n[1]", "\u2028 "] });
        const events = expectEventStream(await library.ask(json, options));
        expect(events[0]?.event).toBe("snippets");
        expect(events.at(-1)?.event).toBe("done");
        expect(new Set(events.slice(1, -1).map(({ event }) => event))).toEqual(new Set(["delta"]));
        const done = events.at(-1)?.data;
        expect(events[0]?.data).toEqual(done.relevantSnippets);
        const deltas = events.slice(1, -1) as StreamedEvent[];
        for (const { data } of deltas) expect(Object.keys(data)).toEqual(["text"]);
        expect(
          deltas
            .map(({ data }) => data.text)
            .join("")
            .trim(),
        ).toBe(done.answer.trim());
        const plain = expectOk(await library.ask({}));
        const { id: _id, timings: _timings, ...receipt } = done.receipt;
        expect({ ...done, receipt: null }).toEqual({ ...plain, receipt: null });
        expect(plain.receipt).toMatchObject(receipt);
      }
    },
  );

  test("a search streams too, without delta", async () => {
    const options = { json: { query: "museum" }, headers: { accept: "text/event-stream" } };
    const events = expectEventStream(await quoting.carrel.call("POST", "/api/search", options));
    expect(events.map(({ event }) => event)).toEqual(["snippets", "done"]);
  });

  test("other Accept headers get JSON", async () => {
    for (const accept of ["application/json", "*/*", "text/html", "text/event-stream;q=0"])
      expectOk(await quoting.ask({}, { headers: { accept } }));
  });
});
