import { inParallel } from "../../async/in-parallel.ts";

/** Files stay while somebody copies them, whatever is deleted meanwhile. */
interface KeptFiles {
  /** Notes a file that would be removed now. @returns whether it stays */
  keep(hash: string): boolean;
  /** From now on files stay. @returns ends that, and removes what was noted unless somebody else keeps files too */
  begin(): () => Promise<void>;
}

const removedAtOnce = 4;

/** @param remove removes a file that was noted, unless it is needed again by now */
export const createKeptFiles = (remove: (hash: string) => Promise<void>): KeptFiles => {
  let keepers = 0;
  const noted = new Set<string>();
  return {
    keep(hash) {
      if (keepers === 0) return false;
      noted.add(hash);
      return true;
    },
    begin() {
      keepers += 1;
      let isEnded = false;
      return async () => {
        if (isEnded) return;
        isEnded = true;
        keepers -= 1;
        if (keepers > 0) return;
        const hashes = [...noted];
        noted.clear();
        await inParallel(hashes, removedAtOnce, remove);
      };
    },
  };
};
