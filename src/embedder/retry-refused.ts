import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import { pause } from "../async/waiting.ts";
import type { Logger } from "../log/log.ts";
import type { RefusedTexts, Store } from "../store/contract.ts";
import { embeddingInput, embeddingInputHash } from "../text/chunk/chunk.ts";
import { embedUnit } from "./vector-feed.ts";

/** Once after each start, and once a day: what the model refused for a passing reason gets its vectors. */
const everyMs = 24 * 60 * 60 * 1000;
/** Documents that are filled together if the model takes one of their texts now, and how long they wait for more. */
const maxDocuments = 64;
const maxTurnMs = 10_000;
/** While requests are answered, a pause follows each text. */
const busyPauseMs = 1_000;

interface RetryRefusedOptions {
  store: Pick<Store, "documents" | "indexes" | "vectors">;
  /** Takes the vectors that are made, by hash of their input. */
  made: Map<string, Float32Array>;
  /** True while requests are answered. */
  isBusy(): boolean;
  log: Logger;
}

/** Gives the texts that the model refused earlier to it again, each at most once, when there is nothing else to do. */
interface RefusedRetry {
  /** How long until there may be something to try. */
  dueInMs(): number;
  /**
   * Tries the next documents. Where the model takes one of the texts now, the document lacks vectors again for all of them.
   * @throws ProviderError if the model takes nothing: the same document is next; the signal's reason
   */
  tryNext(setId: string, model: EmbeddingModel, signal: AbortSignal): Promise<void>;
}

export const createRefusedRetry = ({ store, made, isBusy, log }: RetryRefusedOptions): RefusedRetry => {
  const { vectors } = store;
  let left: RefusedTexts[] = [];
  let nextAt = 0;
  /** Whether the model took those that were tried, by hash. */
  const tried = new Map<string, boolean>();

  const find = async (): Promise<void> => {
    left = await vectors.refused();
    nextAt = performance.now() + everyMs;
    tried.clear();
    const texts = left.reduce((sum, { inputHashes }) => sum + inputHashes.length, 0);
    if (texts > 0) log.info({ documents: left.length, texts }, "texts that the model refused are tried again");
  };

  /** Whether the model takes one of the texts now. */
  const takesOneOf = async (refused: RefusedTexts, model: EmbeddingModel, signal: AbortSignal): Promise<boolean> => {
    for (const [hash, text] of await textsOf(refused, store)) {
      if (!tried.has(hash)) {
        signal.throwIfAborted();
        const [isThere] = await vectors.haveVectors([refused]);
        if (!isThere) return false; // removed or replaced meanwhile
        const outcome = await embedUnit(model, [text], signal);
        const vector = outcome instanceof ProviderError ? undefined : outcome[0];
        const isTaken = vector?.some((value) => value !== 0) === true;
        tried.set(hash, isTaken);
        if (vector !== undefined && isTaken) made.set(hash, vector);
        if (isBusy()) await pause(busyPauseMs, signal);
      }
      if (tried.get(hash)) return true;
    }
    return false;
  };

  return {
    dueInMs: () => (left.length > 0 ? 0 : Math.max(nextAt - performance.now(), 0)),
    async tryNext(setId, model, signal) {
      if (left.length === 0) await find();
      const accepted: RefusedTexts[] = [];
      const endsAt = performance.now() + maxTurnMs;
      try {
        for (let [next] = left; next !== undefined; [next] = left) {
          if (accepted.length >= maxDocuments || performance.now() > endsAt) break;
          if (await takesOneOf(next, model, signal)) accepted.push(next);
          left.shift();
        }
      } finally {
        await vectors.reopen(setId, accepted);
      }
    },
  };
};

/** The refused texts of a document by hash; none if it was removed or replaced. */
const textsOf = async (
  { organizationId, documentId, revision, inputHashes }: RefusedTexts,
  { documents, indexes }: RetryRefusedOptions["store"],
): Promise<Map<string, string>> => {
  const found = await documents.getMany({ organizationId, partitionId: null }, [documentId]);
  const refused = new Set(inputHashes);
  const texts = new Map<string, string>();
  for (const snippet of (await indexes.snippetsOf(found)).get(documentId) ?? []) {
    const hash = embeddingInputHash(snippet);
    if (snippet.revision === revision && refused.has(hash)) texts.set(hash, embeddingInput(snippet));
  }
  return texts;
};
