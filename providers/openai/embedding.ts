import type { Config } from "../../config/schema.ts";
import type { EmbeddingModel } from "../contract.ts";
import { embedInBatches } from "../embedding-batches.ts";
import { prefixesOf, prefixRevision } from "../embedding-prefixes.ts";
import { createConfiguredOutbound } from "../http.ts";
import { once } from "../once.ts";
import { brokenAnswer, isOfficial, OPENAI_DEFAULT_URL, openAiClient, openAiFailure } from "./connection.ts";
import { officialContext, toldContext } from "./model-list.ts";

/** OpenAI takes 2,048 inputs and 300,000 tokens a request; smaller ones fail smaller and show progress. */
const OFFICIAL_LIMITS = { mostInputs: 256, mostTokens: 100_000 };
/** A server of one's own may embed one text a second, and says nothing until all of a request are done. */
const OTHER_LIMITS = { mostInputs: 16, mostTokens: 16_384 };
/** For a server that does not tell what its model takes: what the small ones take (BERT's). */
export const UNKNOWN_INPUT_TOKENS = 512;

/** Embeddings by a model behind an OpenAI-speaking server. */
export const createOpenAiEmbedding = (
  settings: Config["models"]["embedding"],
  model: string,
  fusionWeight: EmbeddingModel["fusionWeight"],
): EmbeddingModel => {
  const outbound = createConfiguredOutbound("embedding", settings, settings.baseUrl ?? OPENAI_DEFAULT_URL);
  const prefix = prefixesOf(model, settings);
  const request = async (input: readonly string[], signal: AbortSignal): Promise<number[][]> => {
    try {
      const answer = await openAiClient(outbound, signal).embeddings.create({
        model,
        input: [...input],
        // The library's own choice is base64, which some compatible servers answer wrongly.
        encoding_format: "float",
        ...(settings.dimensions === null ? {} : { dimensions: settings.dimensions }),
      });
      if (!Array.isArray(answer.data)) throw brokenAnswer(outbound, "no list of embeddings");
      return [...answer.data].sort((a, b) => a.index - b.index).map(({ embedding }) => embedding);
    } catch (error) {
      throw openAiFailure(error, outbound, model, signal);
    }
  };
  const official = isOfficial(outbound);
  const inputTokens = once(async () => {
    if (settings.contextTokens !== null) return settings.contextTokens;
    const known = official ? officialContext(model) : null;
    const told = () => toldContext(outbound, model, AbortSignal.timeout(settings.timeoutMs));
    return known ?? (await told()) ?? UNKNOWN_INPUT_TOKENS;
  });
  const embed = async (texts: readonly string[], kind: "query" | "document", signal: AbortSignal) =>
    embedInBatches(
      texts.map((text) => (text.trim() === "" ? "" : prefix[kind] + text)),
      {
        ...(official ? OFFICIAL_LIMITS : OTHER_LIMITS),
        // Compatible servers cut a longer one and say nothing.
        inputTokens: await inputTokens(),
        concurrency: settings.concurrency,
        dimensions: settings.dimensions,
        request,
      },
      signal,
    );
  const dimensions = once(async () => {
    if (settings.dimensions !== null) return settings.dimensions;
    const [vector] = await embed(["dimension"], "document", AbortSignal.timeout(settings.timeoutMs));
    return vector?.length ?? 0;
  });
  return { provider: "openai", model, revision: prefixRevision(prefix), dimensions, embed, fusionWeight };
};
