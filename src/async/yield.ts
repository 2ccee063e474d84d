/** Lets everything else that waits for the event loop go first. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Loops of this thread that wait to go on, in the order of their arrival. */
const waiting: (() => void)[] = [];

const resumeFirst = (): void => {
  const resume = waiting.shift();
  if (waiting.length > 0) setImmediate(resumeFirst);
  resume?.();
};

/**
 * Resolves when a long loop may go on with its next slice. Of all loops that wait, one goes on in each turn of the event
 * loop: messages and requests wait for one slice, however many loops are under way. With `nextTurn` all of them would
 * run in the same turn.
 */
export const nextSlice = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(resumeFirst);
    waiting.push(resolve);
  });

/**
 * How long a loop may block the event loop. A health check waits no longer; an ingest or a question, which takes ten to
 * twenty turns of the event loop, waits so long in each beside somebody else's loop.
 */
const maxSliceMs = 3;

/**
 * For long loops: call the returned function often. It yields to the event loop when the loop has blocked the thread for
 * a slice of time.
 * @param signal ends the loop; left out: nothing does
 * @throws the signal's reason once it has fired
 */
export const createYielder = (signal?: AbortSignal): (() => Promise<void> | undefined) => {
  let since = performance.now();
  const pause = async (): Promise<void> => {
    await nextSlice();
    since = performance.now();
    signal?.throwIfAborted();
  };
  return () => (performance.now() - since < maxSliceMs ? undefined : pause());
};

/** As `items.map(work)`, but other work has its turn meanwhile: for long lists, and work on hostile text. */
export const mapInSlices = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<Result[]> => {
  const yieldTurn = createYielder();
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(work(item, index));
    await yieldTurn();
  }
  return results;
};
