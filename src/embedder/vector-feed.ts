import type { EmbeddingModel } from "../../providers/contract.ts";
import { pause } from "../async/pause.ts";
import type { Logger } from "../log.ts";
import { embedUnit } from "./embed-unit.ts";

/**
 * Calls under way at once: while one is answered the next is there already, so that the model never waits for the store.
 * While requests are answered there is one, so that a question waits for no more than that before it.
 */
const maxUnits = 2;
/** Texts of a call are so many that it takes about this long: a question that needs the model waits as long for it. */
const unitMs = 250;
const firstUnitTexts = 4;
const maxUnitTexts = 64;
/** More texts than this take turns with fewer: a large document does not keep new ones waiting. */
const manyTexts = 512;
/** While requests are answered, a pause follows each call, as long as the call, but no longer than this. */
const maxPauseMs = 1_000;

export interface VectorFeedOptions {
  model: EmbeddingModel;
  dimensions: number;
  /** True while requests are answered. */
  isBusy(): boolean;
  /** Called after each successful call of the model. */
  onProgress(): void;
  log: Logger;
}

/** Gives texts to the model, in the order they come, as fast as it takes them. Many texts take turns with few. */
export interface VectorFeed {
  /** Texts of a call, by the speed of the model. */
  readonly unitTexts: number;
  /**
   * @param take called with each vector as it is made, by index of the text
   * @throws ProviderError if the model fails: nothing more is taken then; the signal's reason
   */
  embed(texts: readonly string[], take: (index: number, vector: Float32Array) => void): Promise<void>;
}

interface Unit {
  texts: readonly string[];
  end: PromiseWithResolvers<readonly Float32Array[]>;
}

/** Texts of one caller, of which those from `next` on wait. */
interface Waiting {
  texts: readonly string[];
  next: number;
  take(unit: Unit, first: number): void;
}

export const createVectorFeed = (options: VectorFeedOptions, signal: AbortSignal): VectorFeed => {
  const { model, dimensions, isBusy, onProgress, log } = options;
  /** The lane whose turn it is comes first. */
  let lanes: [Waiting[], Waiting[]] = [[], []];
  const lane: { few: Waiting[]; many: Waiting[] } = { few: lanes[0], many: lanes[1] };
  let underWay = 0;
  let unitTexts = firstUnitTexts;

  const learn = (texts: number, tookMs: number): void => {
    const fitting = Math.round((texts * unitMs) / Math.max(tookMs, 1));
    // A slow answer may have waited behind others: the size changes step by step.
    unitTexts = Math.min(Math.max(fitting, unitTexts >> 1, 1), unitTexts * 2, maxUnitTexts);
  };

  const run = async ({ texts, end }: Unit): Promise<void> => {
    underWay += 1;
    const beganAt = performance.now();
    try {
      signal.throwIfAborted();
      const vectors = await embedUnit(model, dimensions, texts, log, signal);
      const tookMs = performance.now() - beganAt;
      learn(texts.length, tookMs / underWay);
      onProgress();
      end.resolve(vectors);
      if (isBusy()) await pause(Math.min(tookMs, maxPauseMs), signal);
    } catch (error) {
      end.reject(error);
    } finally {
      underWay -= 1;
      dispatch();
    }
  };

  const dispatch = (): void => {
    while (underWay < (isBusy() ? 1 : maxUnits)) {
      const [turn, other] = lanes;
      const queue = turn.length > 0 ? turn : other;
      const first = queue[0];
      if (first === undefined) return;
      lanes = [other, turn];
      const from = first.next;
      const unit: Unit = { texts: first.texts.slice(from, from + unitTexts), end: Promise.withResolvers() };
      first.next += unit.texts.length;
      if (first.next >= first.texts.length) queue.shift();
      first.take(unit, from);
      void run(unit);
    }
  };

  return {
    get unitTexts() {
      return unitTexts;
    },
    embed: (texts, take) =>
      new Promise((resolve, reject) => {
        let left = texts.length;
        if (left === 0) return resolve();
        lane[texts.length > manyTexts ? "many" : "few"].push({
          texts,
          next: 0,
          take(unit, first) {
            unit.end.promise.then((vectors) => {
              for (const [at, vector] of vectors.entries()) take(first + at, vector);
              left -= unit.texts.length;
              if (left === 0) resolve();
            }, reject);
          },
        });
        dispatch();
      }),
  };
};
