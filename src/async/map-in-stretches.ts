import { createBreather } from "./breathe.ts";

/** As `items.map(work)`, but other work has its turn meanwhile: for long lists, and work on hostile text. */
export const mapInStretches = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<Result[]> => {
  const breathe = createBreather();
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(work(item, index));
    await breathe();
  }
  return results;
};
