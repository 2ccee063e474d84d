/** Finds how deep list items are nested, one after the other, from where each begins. */
interface Indents {
  /**
   * @param at where the item begins; `step`: items that begin less than this apart are equally deep. @returns from 0
   */
  depthAt(at: number, step: number): number;
  /** The list has ended. */
  reset(): void;
}

export const createIndents = (): Indents => {
  const open: number[] = [];
  return {
    depthAt(at, step) {
      while (open.length > 1 && at < (open.at(-1) ?? 0) - step) open.pop();
      if (open.length === 0 || at > (open.at(-1) ?? 0) + step) open.push(at);
      return open.length - 1;
    },
    reset() {
      open.length = 0;
    },
  };
};
