import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** The chosen option of a list below a search field, which keeps the focus. */
interface Option {
  /** Its index; -1 where the list is empty. */
  chosen: number;
  choose(index: number): void;
  /** Up and down, round the ends. @returns whether the key was one of these */
  move(key: string): boolean;
}

/** @param listId the options of the list have the ids `ID-0`, `ID-1` and so on: the chosen one is scrolled into view */
export const useOption = (listId: string, count: number): Option => {
  const at = useSignal(0);
  const chosen = Math.min(at.value, count - 1);
  useEffect(() => {
    document.getElementById(`${listId}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return {
    chosen,
    choose(index) {
      at.value = index;
    },
    move(key) {
      if (count === 0 || (key !== "ArrowDown" && key !== "ArrowUp")) return false;
      at.value = (chosen + (key === "ArrowDown" ? 1 : count - 1)) % count;
      return true;
    },
  };
};
