import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";
import { createFairQueue } from "../async/turns.ts";
import { pause } from "../async/waiting.ts";

/** What every model takes that takes anything at all. */
const plainSentence = "A plain sentence.";

/** Whether the model takes texts at the moment. @throws ProviderError if it does not; the signal's reason */
export const embedPlainSentence = async (model: EmbeddingModel, signal: AbortSignal): Promise<void> => {
  await model.embed([plainSentence], "document", signal);
};

/**
 * Vectors of a few stored texts. A failure alone does not say whether the server is away or whether one of the texts made
 * it fail, in whatever way: some texts make a server close the connection, or a filter before it answer 403. So the model
 * gets a plain sentence after it.
 * @returns the failure, if the model takes the sentence: then one of the texts may be the reason
 * @throws the failure, if the model takes nothing; the signal's reason
 */
export const embedUnit = async (
  model: EmbeddingModel,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[] | ProviderError> => {
  try {
    return await model.embed(texts, "document", signal);
  } catch (error) {
    if (!(error instanceof ProviderError) || signal.aborted) throw error;
    try {
      await embedPlainSentence(model, signal);
    } catch {
      throw error;
    }
    return error;
  }
};

/** Texts for the model, and who takes what it makes of them. Texts are named by their index. */
interface TextsToEmbed {
  readonly texts: readonly string[];
  /** Asked when a text's turn comes: one that is no longer wanted is not given to the model. */
  isWanted(index: number): boolean;
  take(index: number, vector: Float32Array): void;
  /** The text was in a call that failed. */
  fail(index: number): void;
}

/** Texts of one caller, of which some wait, some are with the model, and the others are done. */
interface FeedJob {
  /** More texts than `manyTexts` take turns with fewer: a large document does not keep new ones waiting. */
  readonly size: "few" | "many";
  /** Resolves when none waits and none is with the model any more. */
  readonly done: Promise<void>;
  /** Whether some texts wait. */
  isWaiting(): boolean;
  /** The next texts that are still wanted, at most `limit`; may be none. */
  next(limit: number): number[];
  textsAt(indexes: readonly number[]): string[];
  take(indexes: readonly number[], vectors: readonly Float32Array[]): void;
  fail(indexes: readonly number[]): void;
  /** Nothing more comes of it. */
  end(error: unknown): void;
}

const manyTexts = 256;

const createFeedJob = ({ texts, isWanted, take, fail }: TextsToEmbed): FeedJob => {
  const done = Promise.withResolvers<void>();
  let waitingFrom = 0;
  let left = texts.length;

  const finish = (count: number): void => {
    left -= count;
    if (left === 0) done.resolve();
  };

  finish(0);
  return {
    size: texts.length > manyTexts ? "many" : "few",
    done: done.promise,
    isWaiting: () => waitingFrom < texts.length,
    next(limit) {
      const indexes: number[] = [];
      while (indexes.length < limit && waitingFrom < texts.length) {
        if (isWanted(waitingFrom)) indexes.push(waitingFrom);
        else finish(1);
        waitingFrom += 1;
      }
      return indexes;
    },
    textsAt: (indexes) => indexes.map((index) => texts[index] ?? ""),
    take(indexes, vectors) {
      for (const [at, vector] of vectors.entries()) take(indexes[at] ?? 0, vector);
      finish(indexes.length);
    },
    fail(indexes) {
      indexes.forEach(fail);
      finish(indexes.length);
    },
    end: done.reject,
  };
};

/**
 * Calls under way at once: while one is answered the next is there already, so that the model never waits for the store.
 * While requests are answered there is one, so that a question waits for no more than that before it.
 */
const maxUnits = 2;
/** Texts of a call are so many that it takes about this long: a question that needs the model waits as long for it. */
const unitMs = 250;
const firstUnitTexts = 4;
const maxUnitTexts = 64;
/** While requests are answered, a pause follows each call, as long as the call, but no longer than this. */
const maxPauseMs = 1_000;

interface VectorFeedOptions {
  model: EmbeddingModel;
  /** True while requests are answered. */
  isBusy(): boolean;
  /** Called when the model has answered. */
  onProgress(): void;
}

/**
 * Gives texts to the model, in the order they come, as fast as it takes them. Many texts take turns with few. Once the
 * model takes nothing any more, every call fails with that reason.
 */
export interface VectorFeed {
  /** Texts of a call, by the speed of the model. */
  readonly unitTexts: number;
  /**
   * Resolves when each text was taken, failed, or was no longer wanted.
   * @throws ProviderError if the model takes nothing; the signal's reason
   */
  embed(texts: TextsToEmbed): Promise<void>;
  /**
   * One text in a call of its own, beside the others.
   * @returns why the model refuses it, if it takes others
   * @throws ProviderError if the model takes nothing; the signal's reason
   */
  embedAlone(text: string): Promise<Float32Array | ProviderError>;
}

export const createVectorFeed = (options: VectorFeedOptions, signal: AbortSignal): VectorFeed => {
  const { model, isBusy, onProgress } = options;
  const queue = createFairQueue<FeedJob>();
  let underWay = 0;
  let unitTexts = firstUnitTexts;
  /** Why the model takes nothing any more. */
  let failure: { error: unknown } | null = null;

  const learn = (texts: number, tookMs: number): void => {
    const fitting = Math.round((texts * unitMs) / Math.max(tookMs, 1));
    // A slow answer may have waited behind others: the size changes step by step.
    unitTexts = Math.min(Math.max(fitting, unitTexts >> 1, 1), unitTexts * 2, maxUnitTexts);
  };

  const pauseIfBusy = async (tookMs: number): Promise<void> => {
    if (isBusy()) await pause(Math.min(tookMs, maxPauseMs), signal);
  };

  const run = async (job: FeedJob, indexes: readonly number[]): Promise<void> => {
    underWay += 1;
    const beganAt = performance.now();
    try {
      signal.throwIfAborted();
      const made = await embedUnit(model, job.textsAt(indexes), signal);
      const tookMs = performance.now() - beganAt;
      onProgress();
      if (made instanceof ProviderError) {
        // Fewer texts share the fate of the next one that the model refuses.
        unitTexts = Math.max(unitTexts >> 1, 1);
        job.fail(indexes);
      } else {
        learn(indexes.length, tookMs / underWay);
        job.take(indexes, made);
      }
      await pauseIfBusy(tookMs);
    } catch (error) {
      failure ??= { error };
      job.end(error);
      job.fail(indexes);
    } finally {
      underWay -= 1;
      dispatch();
    }
  };

  const dispatch = (): void => {
    for (let job = queue.next(); failure !== null && job !== null; job = queue.next()) {
      queue.remove(job.size, job);
      job.end(failure.error);
    }
    while (underWay < (isBusy() ? 1 : maxUnits)) {
      const job = queue.next();
      if (job === null) return;
      const indexes = job.next(unitTexts);
      if (!job.isWaiting()) queue.remove(job.size, job);
      if (indexes.length > 0) void run(job, indexes);
    }
  };

  return {
    get unitTexts() {
      return unitTexts;
    },
    embed(texts) {
      const job = createFeedJob(texts);
      if (job.isWaiting()) queue.add(job.size, job);
      dispatch();
      return job.done;
    },
    async embedAlone(text) {
      if (failure !== null) throw failure.error;
      const beganAt = performance.now();
      try {
        const made = await embedUnit(model, [text], signal);
        onProgress();
        await pauseIfBusy(performance.now() - beganAt);
        return made instanceof ProviderError ? made : (made[0] as Float32Array);
      } catch (error) {
        failure ??= { error };
        dispatch();
        throw error;
      }
    },
  };
};
