import { useRef } from "preact/hooks";
import { toast } from "../../../components/toasts.tsx";
import { keepInView } from "../keep-in-view.ts";
import { documentStrings as texts } from "../strings.ts";
import type { WantedPassage } from "./wanted-passage.ts";

/**
 * Brings the wanted passage into view when it has been marked, once in each pane: then the reader leads.
 * @returns for the name of a pane, what to call with the marks in it
 */
export const useShownOnce = (wanted: WantedPassage) => {
  const shown = useRef(new Map<string, WantedPassage>());
  return (pane: "text" | "original") =>
    (marks: readonly HTMLElement[]): void => {
      const [first] = marks;
      if (shown.current.get(pane) === wanted) return;
      if (first !== undefined) {
        shown.current.set(pane, wanted);
        const element = first.closest<HTMLElement>(".pane");
        if (element !== null) keepInView(element, () => first.scrollIntoView({ block: "center" }));
      } else if (pane === "text") toast(texts.notFound, "failed");
    };
};
