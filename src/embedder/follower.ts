import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import { createNotifier, type Notifier, notifiedOrPause, pause } from "../async/waiting.ts";
import type { VectorSetInfo } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import type { RefusedTexts, Store } from "../store/contract.ts";
import { embeddingInput, embeddingInputHash } from "../text/chunk/chunk.ts";
import { fillSet, pauseAfter } from "./fill-set.ts";
import { dimensionsOf, haveSameVectors, type KnownModels, nameOf } from "./known-models.ts";
import { createRetryList } from "./retry-list.ts";
import { createVectorFeed, embedPlainSentence, embedUnit } from "./vector-feed.ts";

interface ChooseSetOptions {
  store: Pick<Store, "documents" | "indexes" | "vectors">;
  /** The model whose vectors the set holds. */
  configured: EmbeddingModel;
  models: KnownModels;
  log: Logger;
}

/**
 * The vector set that is to be filled: one that the model and the present analysis made, or a new one.
 * @throws ProviderError if the model cannot be asked for the length of its vectors
 */
const chooseSet = async (
  { store, configured, models, log }: ChooseSetOptions,
  signal: AbortSignal,
): Promise<VectorSetInfo> => {
  const { vectors, indexes } = store;
  await dropUnwanted(vectors, models);
  const dimensions = await dimensionsOf(configured, signal);
  const { provider, model, revision } = configured;
  const { analysisVersion } = indexes.active();
  const wanted = { provider, model, modelRevision: revision ?? "", dimensions, analysisVersion };
  const isWanted = (set: VectorSetInfo): boolean =>
    haveSameVectors(set, wanted) && set.analysisVersion === analysisVersion;
  const active = vectors.active();
  const building = vectors.building();
  if (active !== null && isWanted(active)) {
    if (building !== null) await vectors.abandon();
    return active;
  }
  if (building !== null && isWanted(building)) return building;
  // The model has other vectors than before: a setting was reverted, or the server has another model of that name.
  if (active !== null && models.isConfigured(active) && active.dimensions !== dimensions)
    await models.findFormer(active);
  const begun = await vectors.begin(wanted);
  log.info({ model: nameOf(begun) }, "the vectors of an embedding model are being made");
  return begun;
};

/** A change that was taken back ends at once, also while the model is away: what the old set lacks counts again. */
const dropUnwanted = async (vectors: Store["vectors"], models: KnownModels): Promise<void> => {
  const active = vectors.active();
  const building = vectors.building();
  if (active === null || building === null) return;
  if (models.isConfigured(active) && !models.isConfigured(building)) await vectors.abandon();
};

/** `configured` is the model whose vectors follow. */
interface FollowerOptions extends ChooseSetOptions {
  /** Whether the built-in static model is enough where the configured one cannot run. */
  isOptional: boolean;
  /** Notifies when documents were published. */
  published: Notifier;
  /** Notifies when a question reached the model. */
  reached: Notifier;
  /** True while requests are answered. */
  isBusy(): boolean;
}

/** Makes the vectors of the configured model for documents that are stored, and keeps them complete. */
interface Follower {
  /** Why no vectors are made at the moment; null if they are, or if none are lacking. */
  readonly error: string | null;
  /**
   * Works until the signal fires. A model that fails is tried again, after growing pauses; what was made stays.
   * @returns false if the model cannot run here and the built-in static one is enough
   */
  follow(signal: AbortSignal): Promise<boolean>;
}

export const createFollower = (options: FollowerOptions): Follower => {
  const { store, models, isOptional, published, reached, isBusy, log } = options;
  const { vectors } = store;
  const made = new Map<string, Float32Array>();
  const retries = createRetryList();
  const refused = createRefusedRetry({ store, made, isBusy, log });
  const contact = createNotifier();
  let error: string | null = null;

  /** Makes what is lacking. @throws ProviderError; the signal's reason */
  const complete = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      const set = await chooseSet(options, signal);
      const old = vectors.active();
      const sources = old !== null && old.id !== set.id && haveSameVectors(old, set) ? [set.id, old.id] : [set.id];
      const model = models.of(set);
      if (model === null) throw new Error("the configured model does not make the set that was begun for it");
      const onProgress = (): void => {
        error = null;
        contact.notify();
      };
      if (retries.size > 0) {
        // After a failure one sentence shows that the server is back, so that no more texts are in failed calls meanwhile.
        await embedPlainSentence(model, signal);
        onProgress();
      }
      const feed = createVectorFeed({ model, isBusy, onProgress }, signal);
      await fillSet({ store, set, sources, feed, made, retries, published, log }, signal);
      made.clear();
      retries.forgetTexts();
      if (vectors.building()?.id !== set.id) return;
      if (!(await vectors.promote())) continue;
      if (old !== null) models.forget(old);
      log.info({ model: nameOf(set) }, "the vectors of the embedding model are complete");
      return;
    }
  };

  /** While nothing is lacking. Ends when documents are published, or when refused texts were tried again. */
  const rest = async (seen: number, signal: AbortSignal): Promise<void> => {
    await notifiedOrPause(published, seen, refused.dueInMs(), signal);
    const set = vectors.active();
    const model = set === null ? null : models.of(set);
    if (published.count !== seen || signal.aborted || set === null || model === null) return;
    const stop = new AbortController();
    const untilPublished = AbortSignal.any([signal, stop.signal]);
    void published.next(seen, untilPublished).then(() => stop.abort());
    try {
      await refused.tryNext(set.id, model, untilPublished);
    } catch (failure) {
      if (!stop.signal.aborted) throw failure;
    } finally {
      stop.abort();
    }
  };

  const wait = async (failure: unknown, failures: number, signal: AbortSignal): Promise<void> => {
    const pauseMs = pauseAfter(failure, failures);
    if (failure instanceof ProviderError) {
      const level = (await vectors.pending()).documents > 0 ? "warn" : "debug";
      log[level]({ kind: failure.kind, pauseMs }, `the embedding model cannot be used yet: ${failure.message}`);
    } else log.error({ err: failure, pauseMs }, "making vectors failed");
    await notifiedOrPause(reached, reached.count, pauseMs, signal);
  };

  return {
    get error() {
      return error;
    },
    async follow(signal) {
      for (let failures = 0; !signal.aborted; ) {
        const contacts = contact.count;
        try {
          const seen = published.count;
          await complete(signal);
          error = null;
          await rest(seen, signal);
          failures = 0;
        } catch (failure) {
          if (signal.aborted) return true;
          if (isOptional && failure instanceof ProviderError && failure.kind === "model_missing") {
            log.warn({ reason: failure.message }, "models.embedding.model auto: the built-in static model is used");
            return false;
          }
          failures = contact.count === contacts ? failures + 1 : 1;
          error = failure instanceof ProviderError ? failure.message : "an internal error; see the log";
          await wait(failure, failures, signal);
        }
      }
      return true;
    },
  };
};

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

const createRefusedRetry = ({ store, made, isBusy, log }: RetryRefusedOptions): RefusedRetry => {
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
