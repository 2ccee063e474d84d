import type { Ollama } from "ollama";
import { normalForm } from "../../src/text/clean-text.ts";
import { type EmbeddingModel, ProviderError } from "../contract.ts";
import { embedInBatches } from "../embedding/batches.ts";
import { prefixesOf, prefixRevision } from "../embedding/prefixes.ts";
import { listIn, objectIn } from "../http/json-values.ts";
import type { EmbeddingSettings } from "../http/provider.ts";
import { addressOf } from "../http/provider.ts";
import type { Pace } from "../http/repeat-call.ts";
import { askOnce } from "../http/repeat-call.ts";
import { answerOf, createOllamaOutbound, showOllamaModel } from "./connection.ts";

/**
 * Inputs and estimated tokens a request: small, since the server works through them one by one, a batch fails whole,
 * and a question waits for those before it.
 */
const maxInputs = 8;
const maxTokens = 8_192;

/** Embeddings by a model on an Ollama server, over its native API. */
export const createOllamaEmbedding = (
  settings: EmbeddingSettings,
  model: string,
  fusionWeight: EmbeddingModel["fusionWeight"],
): EmbeddingModel => {
  const outbound = createOllamaOutbound("embedding", settings);
  const prefix = prefixesOf(model, settings);
  const facts = askOnce(outbound, async (signal, pace) => {
    const shown = await showOllamaModel(outbound, model, signal, pace);
    if (shown.capabilities.length > 0 && !shown.capabilities.includes("embedding"))
      throw new ProviderError(
        "embedding",
        "bad_answer",
        `model \`${model}\` on ${addressOf(outbound)} makes no embeddings (it offers ${shown.capabilities.join(", ")}): name an embedding model in models.embedding.model`,
      );
    return shown;
  });
  const request = async (input: readonly string[], signal: AbortSignal, pace: Pace): Promise<unknown> => {
    const embed = (client: Ollama) =>
      client.embed({
        model,
        input: [...input],
        // An input that is too long must be refused, so that it can be split: the server would silently cut it.
        truncate: false,
        ...(settings.dimensions === null ? {} : { dimensions: settings.dimensions }),
      });
    return objectIn(await answerOf(outbound, model, signal, embed, pace))?.embeddings;
  };
  const embed = async (texts: readonly string[], kind: "query" | "document", signal: AbortSignal) => {
    // A question is answered without its vector too.
    const pace = kind === "document" ? "patient" : "hurried";
    const { tokenizer, embeddingLength } = await facts(signal, pace);
    const prepare = tokenizer === "bert" ? plainForWordPiece : (text: string) => text;
    const inputs = texts.map((text) => (text.trim() === "" ? "" : prefix[kind] + prepare(text)));
    return embedInBatches(
      inputs,
      {
        maxInputs,
        maxTokens,
        // With `truncate: false` the server refuses inputs that are too long.
        inputTokens: settings.contextTokens,
        concurrency: settings.concurrency,
        dimensions: settings.dimensions ?? embeddingLength,
        request: async (input) => {
          const rows = await request(input, signal, pace);
          if (settings.dimensions === null) refuseOtherLength(rows, embeddingLength);
          return rows;
        },
      },
      signal,
    );
  };
  /** What the server says of the model is asked once: it may have another one under this name by now, or be wrong. */
  const refuseOtherLength = (rows: unknown, expected: number | null): void => {
    const other = listIn(rows)
      .map((row) => listIn(row).length)
      .find((length) => length > 0 && length !== expected);
    if (expected === null || other === undefined) return;
    throw new ProviderError(
      "embedding",
      "bad_answer",
      `model \`${model}\` on ${addressOf(outbound)} gives vectors of ${other} numbers, and the server said ${expected}: restart Carrel if the model was replaced, else set models.embedding.dimensions to ${other}`,
    );
  };
  const dimensions = askOnce(outbound, async (signal) => {
    if (settings.dimensions !== null) return settings.dimensions;
    const { embeddingLength } = await facts(signal, "patient");
    if (embeddingLength !== null) return embeddingLength;
    const [vector] = await embed(["dimension"], "document", signal);
    return vector?.length ?? 0;
  });
  return {
    provider: "ollama",
    model,
    revision: prefixRevision(prefix),
    dimensions,
    embed,
    fusionWeight,
  };
};

/**
 * To Ollama's WordPiece a word with an accent, or with one of these signs attached, is unknown. The original removes
 * accents and separates signs, so doing it first changes nothing else.
 */
const plainForWordPiece = (text: string): string =>
  normalForm(text, "NFD")
    .replace(/\p{Mn}/gu, "")
    .replace(/[=+<>$^`|~]/g, " $& ");
