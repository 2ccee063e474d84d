import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Config } from "../../config/schema.ts";
import { unitsOf } from "../../src/ingest/batch.ts";
import { type Answer, serveDocuments } from "../documents/serve-documents.ts";

const config = (config: Config): void => {
  config.ingest.maxDocumentBytes = 2_000;
};
const server = await serveDocuments({ staticModel: true, config });

const line = (name: string, more: object = {}): string => JSON.stringify({ name, text: `text of ${name}`, ...more });

const send = async (lines: readonly string[], key: string): Promise<Answer["body"][]> => {
  const answer = await server.call("POST", "/api/ingest/batch", { body: lines.join("\n"), key });
  return answer.text
    .split("\n")
    .filter((one) => one !== "")
    .map((one) => JSON.parse(one));
};

describe("a batch of small texts", () => {
  test("each is found under its own name, metadata, partition and text when it is answered", async () => {
    const key = await server.key({ organization: "small" });
    const partitions = ["Red", "Green", null];
    const lines = Array.from({ length: 100 }, (_, at) => {
      const partition = partitions[at % 3];
      return line(`n${at}`, { metadata: { at }, ...(partition === null ? {} : { partition }) });
    });
    const answers = await send(lines, key);
    expect(answers.map((one) => [one.line, one.status])).toEqual(lines.map((_, at) => [at + 1, "pending"]));
    const named = (await server.call("GET", "/api/partition", { key })).body;
    expect(named).toHaveLength(2);
    const ids = new Map<string, string>(named.map((one: Answer["body"]) => [one.name, one.id]));
    for (const [at, { id }] of answers.entries()) {
      const { body } = await server.call("GET", `/api/document/${id}`, { key });
      expect([body.status, body.name, body.metadata]).toEqual(["processed", `n${at}`, { at }]);
      expect(body.partitionId).toBe(ids.get(partitions[at % 3] ?? "") ?? null);
      expect([body.originalText, body.progress.chunks]).toEqual([`text of n${at}`, 1]);
      expect(body.tokens).toBeGreaterThan(2);
    }
    const { total, counts } = await frequencies(["n7", "text"], "small");
    expect([total, counts]).toEqual([100, { n7: 1, text: 100 }]);
  });

  /** In how many snippets of an organization the terms occur. */
  const frequencies = async (terms: string[], organization: string) => {
    const { id } = await server.store.organizations.upsert(organization);
    const view = server.store.openSnippets();
    const { snippets, counts } = await view
      .documentFrequencies({ organizationId: id, partitionId: null }, terms)
      .finally(() => view.close());
    return { total: snippets, counts: Object.fromEntries(counts) };
  };

  test("counts that are kept of an organization's terms grow with it", async () => {
    const key = await server.key({ organization: "counted" });
    await send([line("plum")], key);
    expect((await frequencies(["plum", "fig"], "counted")).counts).toEqual({ plum: 1, fig: 0 });
    await send([line("plum pie"), line("fig")], key);
    expect((await frequencies(["plum", "fig"], "counted")).counts).toEqual({ plum: 2, fig: 1 });
  });

  test("what is wrong with one spoils only that one", async () => {
    const key = await server.key({ organization: "mixed" });
    const answers = await send(
      [
        line("good"),
        line("elsewhere", { partitionId: "0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23" }),
        "{broken",
        line("long", { text: "word ".repeat(500) }),
        line("replaced", { upsert: true, metadata: { externalId: "one" } }),
        line("replaced", { upsert: true, metadata: { externalId: "one" } }),
        line("same text", { text: "text of good", upsert: true }),
        line("also good"),
      ],
      key,
    );
    expect(answers.map((one) => one.status ?? one.error.code)).toEqual([
      "pending",
      "partition_not_found",
      "malformed_body",
      "document_too_large",
      "pending",
      "processed",
      "pending",
      "pending",
    ]);
    expect(answers[5]).toEqual({ line: 6, id: answers[4].id, status: "processed", unchanged: true });
  });

  test("a text that cannot be indexed is refused, the others of its moment are stored", async () => {
    const key = await server.key({ organization: "one fails" });
    const { embed } = server.embeddings;
    server.embeddings.embed = async (texts, ...rest) => {
      if (texts.some((text) => text.includes("poison"))) throw new Error("cannot be embedded");
      return embed.call(server.embeddings, texts, ...rest);
    };
    const answers = await send([line("one"), line("poison"), line("three")], key);
    server.embeddings.embed = embed;
    expect(answers.map((one) => one.status ?? one.error.code)).toEqual(["pending", "internal", "pending"]);
    expect((await server.call("GET", "/api/document", { key })).body).toHaveLength(2);
  });
});

test("lines are handled in units that are small, whole and in order", () => {
  const lengths = fc.array(fc.oneof(fc.nat(300), fc.nat(50_000), fc.constant(null)), { maxLength: 200 });
  fc.assert(
    fc.property(lengths, (given) => {
      const lines = given.map((length, at) => ({
        line: at + 1,
        text: length === null ? null : "x".repeat(length),
        refusal: null,
        bytes: length ?? 0,
      }));
      const units = unitsOf(lines);
      expect(units.flatMap((unit) => unit.lines)).toEqual(lines);
      for (const unit of units) {
        expect(unit.lines.length).toBeLessThanOrEqual(32);
        expect(unit.characters).toBe(unit.lines.reduce((sum, { text }) => sum + (text?.length ?? 0), 0));
        if (unit.lines.length > 1) expect(unit.characters).toBeLessThanOrEqual(32_768);
      }
    }),
  );
});
