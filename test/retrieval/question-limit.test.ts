import { afterAll, expect, test } from "bun:test";
import { ProviderError } from "../../providers/contract.ts";
import { createQuestionLimit } from "../../src/retrieval/question-limit.ts";
import { hashingModel, openLibrary, requestFor } from "../../tools/samples/snippets.ts";

const library = await openLibrary();
await library.put("Leave policy", "Annual leave is thirty days. Unused days expire in March.");
afterAll(() => library.close());

const never = new AbortController().signal;
const aborted = () => new ProviderError("embedding", "aborted", "the caller went away");

/** A model that answers nothing, until its call is aborted. */
const silentModel = (onCall: (signal: AbortSignal) => void = () => undefined) =>
  hashingModel({
    embed: (_texts, _kind, signal) => {
      onCall(signal);
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(aborted())));
    },
  });

test("an index of a model that says nothing: full text answers", async () => {
  const { embed } = createQuestionLimit();
  const found = await library.retriever({ model: silentModel(), embedQuestion: embed })(
    library.tenant,
    requestFor("annual leave"),
    never,
  );
  expect(found.snippets[0]?.text).toContain("thirty days");
  expect(found.warnings).toEqual([
    {
      text: "Full text searched alone, because the embedding model was too slow",
      reason: expect.stringContaining("`hashing` had no vector for a question within 3 s"),
    },
  ]);
});

test("a late call goes on, until the server stops", async () => {
  const { embed, close } = createQuestionLimit();
  const calls: AbortSignal[] = [];
  const asked = new AbortController();
  const late = embed(
    silentModel((signal) => calls.push(signal)),
    ["a question"],
    asked.signal,
  );
  await expect(late).rejects.toMatchObject({ kind: "timeout" });
  asked.abort();
  expect(calls.map((signal) => signal.aborted)).toEqual([false]);
  close();
  expect(calls.map((signal) => signal.aborted)).toEqual([true]);
});

test("a caller who goes away ends the call, and no later question does without the model for that", async () => {
  const { embed } = createQuestionLimit();
  const calls: AbortSignal[] = [];
  const model = silentModel((signal) => calls.push(signal));
  for (const count of [1, 2]) {
    const leaving = new AbortController();
    const left = embed(model, ["a question"], leaving.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ kind: "aborted" });
    expect(calls).toHaveLength(count);
  }
});
