import type OpenAI from "openai";
import type { EmbeddingModel } from "../contract.ts";
import { embedInBatches } from "../embedding/batches.ts";
import { prefixesOf, prefixRevision } from "../embedding/prefixes.ts";
import { brokenAnswer } from "../http/call-failure.ts";
import { objectIn } from "../http/json-values.ts";
import type { Destination, EmbeddingSettings } from "../http/provider.ts";
import type { Pace } from "../http/repeat-call.ts";
import { askOnce } from "../http/repeat-call.ts";
import { answerOf, createOpenAiOutbound, isOfficial } from "./connection.ts";
import { listedContext, officialContext } from "./model-list.ts";

/** OpenAI takes 2,048 inputs and 300,000 tokens a request; smaller ones fail smaller and show progress. */
const officialLimits = { maxInputs: 256, maxTokens: 100_000 };
/** A local server may embed one text a second, and sends nothing until a whole request is done. */
const otherLimits = { maxInputs: 16, maxTokens: 16_384 };
/** If the server does not say how long an input may be: the limit of small models such as BERT. */
export const assumedInputTokens = 512;

/** Embeddings by a model on an OpenAI-compatible server. */
export const createOpenAiEmbedding = (
  settings: EmbeddingSettings,
  model: string,
  fusionWeight: EmbeddingModel["fusionWeight"],
): EmbeddingModel => {
  const outbound = createOpenAiOutbound("embedding", settings);
  const prefix = prefixesOf(model, settings);
  const request = async (input: readonly string[], signal: AbortSignal, pace: Pace): Promise<unknown> => {
    const embed = (client: OpenAI) =>
      client.embeddings.create({
        model,
        input: [...input],
        // The library's own choice is base64, which some compatible servers answer wrongly.
        encoding_format: "float",
        ...(settings.dimensions === null ? {} : { dimensions: settings.dimensions }),
      });
    const data = objectIn(await answerOf(outbound, model, signal, embed, { pace }))?.data;
    if (!Array.isArray(data)) throw brokenAnswer(outbound, "no list of embeddings");
    return inOrder(data.map(objectIn), outbound).map((entry) => entry?.embedding);
  };
  const official = isOfficial(outbound);
  const inputTokens = askOnce(outbound, async (signal, pace) => {
    if (settings.contextTokens !== null) return settings.contextTokens;
    const known = official ? officialContext(model) : null;
    const listed = () => listedContext(outbound, model, signal, pace);
    return known ?? (await listed()) ?? assumedInputTokens;
  });
  const embed = async (texts: readonly string[], kind: "query" | "document", signal: AbortSignal) => {
    // A question is answered without its vector too.
    const pace = kind === "document" ? "patient" : "hurried";
    return embedInBatches(
      texts.map((text) => (text.trim() === "" ? "" : prefix[kind] + text)),
      {
        ...(official ? officialLimits : otherLimits),
        // Compatible servers silently cut a longer one.
        inputTokens: await inputTokens(signal, pace),
        concurrency: settings.concurrency,
        dimensions: settings.dimensions,
        request: (input) => request(input, signal, pace),
      },
      signal,
    );
  };
  const dimensions = askOnce(outbound, async (signal) => {
    if (settings.dimensions !== null) return settings.dimensions;
    const [vector] = await embed(["dimension"], "document", signal);
    return vector?.length ?? 0;
  });
  return { provider: "openai", model, revision: prefixRevision(prefix), dimensions, embed, fusionWeight };
};

type Entry = Record<string, unknown> | null;

/** The entries by their `index`. If all have none, or the same, they are in the order of the texts. */
const inOrder = (entries: readonly Entry[], destination: Destination): Entry[] => {
  const indexes = new Set(entries.map((entry) => entry?.index));
  if (indexes.size <= 1) return [...entries];
  const sorted = new Array<Entry>(entries.length).fill(null);
  for (const entry of entries) {
    const index = entry?.index;
    if (typeof index !== "number" || !(index in sorted))
      throw brokenAnswer(destination, "an embedding with an unknown index");
    sorted[index] = entry;
  }
  if (indexes.size < entries.length) throw brokenAnswer(destination, "two embeddings with one index");
  return sorted;
};
