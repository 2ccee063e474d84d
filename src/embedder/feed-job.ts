/** Texts for the model, and who takes what it makes of them. Texts are named by their index. */
export interface TextsToEmbed {
  readonly texts: readonly string[];
  /** Asked when a text's turn comes: one that is no longer wanted is not given to the model. */
  isWanted(index: number): boolean;
  take(index: number, vector: Float32Array): void;
  /** The text was in a call that failed. */
  fail(index: number): void;
}

/** Texts of one caller, of which some wait, some are with the model, and the others are done. */
export interface FeedJob {
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

export const createFeedJob = ({ texts, isWanted, take, fail }: TextsToEmbed): FeedJob => {
  const done = Promise.withResolvers<void>();
  let waitingFrom = 0;
  let left = texts.length;

  const finish = (count: number): void => {
    left -= count;
    if (left === 0) done.resolve();
  };

  finish(0);
  return {
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
