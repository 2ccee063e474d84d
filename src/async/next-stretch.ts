/** Loops of this thread that wait to go on, in the order of their arrival. */
const waiting: (() => void)[] = [];

const resumeFirst = (): void => {
  const resume = waiting.shift();
  if (waiting.length > 0) setImmediate(resumeFirst);
  resume?.();
};

/**
 * Resolves when a long loop may go on with its next stretch. Of all loops that wait, one goes on in each turn of the event
 * loop: messages and requests wait for one stretch, however many loops are under way. With `nextTurn` all of them would
 * run in the same turn.
 */
export const nextStretch = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(resumeFirst);
    waiting.push(resolve);
  });
