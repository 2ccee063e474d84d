import { expect, test } from "bun:test";
import { ProviderError } from "../../../providers/contract.ts";
import { type BatchOptions, embedInBatches } from "../../../providers/embedding/batches.ts";
import { estimateTokens } from "../../../providers/tokens/estimate-tokens.ts";

const never = new AbortController().signal;

/** A server that counts characters, refuses more than `most` of them, and remembers what it was sent. */
const countingServer = (most: number) => {
  const seen: (readonly string[])[] = [];
  const options: BatchOptions = {
    maxInputs: 4,
    maxTokens: 100,
    inputTokens: null,
    concurrency: 2,
    dimensions: 2,
    async request(inputs) {
      seen.push(inputs);
      if (inputs.some((input) => input.length > most))
        throw new ProviderError("embedding", "too_long", "the input length exceeds the context length", {
          status: 400,
        });
      return inputs.map((input) => [input.length, 1]);
    },
  };
  return { seen, options };
};

test("batches keep to count and tokens, and vectors to the order of the texts", async () => {
  const { seen, options } = countingServer(1_000);
  const texts = Array.from({ length: 23 }, (_, i) => "word ".repeat(1 + (i % 9)));
  const vectors = await embedInBatches(texts, options, never);
  for (const batch of seen) {
    expect(batch.length).toBeLessThanOrEqual(4);
    expect(batch.reduce((sum, text) => sum + estimateTokens(text), 0)).toBeLessThanOrEqual(100);
  }
  vectors.forEach((vector, i) => {
    expect((vector[0] as number) / (vector[1] as number)).toBeCloseTo((texts[i] as string).length, 2);
  });
});

test("what the server finds too long is halved until it fits, and nothing of it is lost", async () => {
  const { seen, options } = countingServer(100);
  const [vector] = await embedInBatches(["alpha beta ".repeat(50)], options, never);
  const taken = seen.flat().filter((text) => text.length <= 100);
  expect(taken.join("")).toBe("alpha beta ".repeat(50));
  expect(Math.hypot(...(vector as Float32Array))).toBeCloseTo(1, 5);
});

test("a length that the server would cut in silence is split before it is sent", async () => {
  const { seen, options } = countingServer(100_000);
  await embedInBatches(["alpha beta ".repeat(50)], { ...options, inputTokens: 40 }, never);
  for (const text of seen.flat()) expect(estimateTokens(text)).toBeLessThanOrEqual(40);
});

test("a server that refuses everything for its length is given up on", async () => {
  const { options } = countingServer(0);
  await expect(
    embedInBatches(["some text that is long enough to be halved once or twice, no more"], options, never),
  ).rejects.toThrow("exceeds");
});

test("after a failure no further batch is begun", async () => {
  let requests = 0;
  const options = {
    maxInputs: 1,
    maxTokens: 100,
    concurrency: 2,
    inputTokens: null,
    dimensions: 1,
    request: async () => {
      requests += 1;
      await Bun.sleep(10 * requests);
      throw new ProviderError("embedding", "unauthorized", "no key");
    },
  };
  const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
  await expect(embedInBatches(texts, options, new AbortController().signal)).rejects.toMatchObject({
    kind: "unauthorized",
  });
  await Bun.sleep(100);
  expect(requests).toBeLessThanOrEqual(3);
});
