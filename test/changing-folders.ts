import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Makes and removes folders under a place all the time, as backups do. @returns ends it */
export const changeFolders = (place: string): (() => Promise<void>) => {
  let isOver = false;
  /** Each in folders of its own: a folder cannot be made in one that is being removed. */
  const change = async (own: string): Promise<void> => {
    for (let round = 0; !isOver; round++) {
      await mkdir(join(place, `frozen-${own}-${round % 8}`, "deep"), { recursive: true });
      await rm(join(place, `frozen-${own}-${(round + 4) % 8}`), { recursive: true, force: true });
    }
  };
  const changes = [change("a"), change("b")];
  return async () => {
    isOver = true;
    await Promise.all(changes);
  };
};
