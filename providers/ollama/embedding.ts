import type { Ollama } from "ollama";
import { normalForm } from "../../src/text/normal-form.ts";
import { askOnce, neverAborted } from "../ask-once.ts";
import { type EmbeddingModel, ProviderError } from "../contract.ts";
import { embedInBatches } from "../embedding/batches.ts";
import { prefixesOf, prefixRevision } from "../embedding/prefixes.ts";
import { addressOf } from "../http/destination.ts";
import { objectIn } from "../json-values.ts";
import type { EmbeddingSettings } from "../provider.ts";
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
  const facts = askOnce(async (isPatient: boolean) => {
    const shown = await showOllamaModel(outbound, model, neverAborted(), isPatient);
    if (shown.capabilities.length > 0 && !shown.capabilities.includes("embedding"))
      throw new ProviderError(
        "embedding",
        "bad_answer",
        `model \`${model}\` on ${addressOf(outbound)} makes no embeddings (it offers ${shown.capabilities.join(", ")}): name an embedding model in models.embedding.model`,
      );
    return shown;
  });
  const request = async (input: readonly string[], signal: AbortSignal, isPatient: boolean): Promise<unknown> => {
    const embed = (client: Ollama) =>
      client.embed({
        model,
        input: [...input],
        // An input that is too long must be refused, so that it can be split: the server would silently cut it.
        truncate: false,
        ...(settings.dimensions === null ? {} : { dimensions: settings.dimensions }),
      });
    return objectIn(await answerOf(outbound, model, signal, embed, isPatient))?.embeddings;
  };
  const embed = async (texts: readonly string[], kind: "query" | "document", signal: AbortSignal) => {
    const isPatient = kind === "document";
    const { tokenizer, embeddingLength } = await facts(isPatient);
    const prepare = tokenizer === "bert" ? plainForWordPiece : (text: string) => text;
    const inputs = texts.map((text) => (text.trim() === "" ? "" : prefix[kind] + prepare(text)));
    const dimensions = settings.dimensions ?? embeddingLength;
    return embedInBatches(
      inputs,
      {
        maxInputs,
        maxTokens,
        // With `truncate: false` the server refuses inputs that are too long.
        inputTokens: settings.contextTokens,
        concurrency: settings.concurrency,
        dimensions,
        request: (input) => request(input, signal, isPatient),
      },
      signal,
    );
  };
  const dimensions = askOnce(async () => {
    if (settings.dimensions !== null) return settings.dimensions;
    const { embeddingLength } = await facts(true);
    if (embeddingLength !== null) return embeddingLength;
    const [vector] = await embed(["dimension"], "document", neverAborted());
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
