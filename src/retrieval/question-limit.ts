import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";

/** Makes the vectors of a question and of the turns before it. @throws ProviderError */
export type EmbedQuestion = (
  model: EmbeddingModel,
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<Float32Array[]>;

/** For questions that nobody waits for: as long as the model's own limits let it take. */
export const embedPatiently: EmbedQuestion = (model, texts, signal) => model.embed(texts, "query", signal);

/** For questions that somebody waits for. */
interface QuestionLimit {
  embed: EmbedQuestion;
  /** Ends the calls that questions no longer wait for. */
  close(): void;
}

/**
 * How long a question waits for its vectors, repeated calls included. A server that embeds documents on a CPU meanwhile
 * takes 0.2 to 2 s; what takes longer costs the reader more than these vectors add to those of the other searches.
 */
const maxWaitMs = 3_000;
/**
 * How long questions do without a model that was too slow; twice as long each further time in a row. The first question
 * after it finds out whether the model is faster now.
 */
const firstRestMs = 10_000;
/** The longest such time, also where the server asks for a longer one. */
const maxRestMs = 60_000;

/** What the last questions saw of one model. */
interface Seen {
  /** Rests because it was too slow, since a question last had its vectors in time. */
  slowRests: number;
  /** End of the rest (`performance.now()`). */
  restsUntil: number;
  /** Why it rests. */
  failure: ProviderError | null;
}

/**
 * Embeds questions as long as that is quick; for a while after a model was too slow, or its server asked for a pause,
 * they go without it at once. A call that takes too long goes on without its question: it may be loading the model, which
 * a server would break off with the call.
 */
export const createQuestionLimit = (): QuestionLimit => {
  const closing = new AbortController();
  const models = new WeakMap<EmbeddingModel, Seen>();

  const seenOf = (model: EmbeddingModel): Seen => {
    const seen = models.get(model) ?? { slowRests: 0, restsUntil: 0, failure: null };
    models.set(model, seen);
    return seen;
  };

  return {
    async embed(model, texts, signal) {
      signal.throwIfAborted();
      const seen = seenOf(model);
      if (isResting(seen)) throw resting(seen);
      const { slowRests } = seen;
      // After a rest, the questions beside the first one do not wait with it.
      if (slowRests > 0) seen.restsUntil = performance.now() + maxWaitMs;
      const leaving = new AbortController();
      const leave = () => leaving.abort(signal.reason);
      signal.addEventListener("abort", leave, { once: true });
      const call = model.embed(texts, "query", AbortSignal.any([leaving.signal, closing.signal]));
      const tooLate = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        const failure = tooSlow(model);
        // Questions that came at the same time are late together.
        if (seen.slowRests === slowRests) {
          beginRest(seen, failure, firstRestMs * 2 ** slowRests);
          seen.slowRests += 1;
        }
        tooLate.reject(failure);
      }, maxWaitMs);
      try {
        const vectors = await Promise.race([call, tooLate.promise]);
        Object.assign(seen, { slowRests: 0, restsUntil: 0 });
        return vectors;
      } catch (error) {
        if (error instanceof ProviderError && error.kind === "rate_limited" && error.retryAfterMs !== null)
          beginRest(seen, error, error.retryAfterMs);
        throw error;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
      }
    },
    close: () => closing.abort(new Error("the server is stopping")),
  };
};

const isResting = ({ restsUntil }: Seen): boolean => performance.now() < restsUntil;

const beginRest = (seen: Seen, failure: ProviderError, ms: number): void => {
  Object.assign(seen, { restsUntil: performance.now() + Math.min(ms, maxRestMs), failure });
};

const tooSlow = ({ model }: EmbeddingModel): ProviderError =>
  new ProviderError(
    "embedding",
    "timeout",
    `model \`${model}\` had no vector for a question within ${maxWaitMs / 1000} s: its server is busy, is loading it, or hangs`,
  );

const resting = ({ failure }: Seen): ProviderError =>
  new ProviderError(
    "embedding",
    failure?.kind ?? "timeout",
    `the model is not called for a moment; its last failure: ${failure?.message}`,
  );
