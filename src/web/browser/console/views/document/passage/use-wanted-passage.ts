import { useMemo } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { DocumentSnippet } from "../../../../shared/api.ts";
import { renderMarkdown } from "../../../../shared/markdown.ts";
import { type WantedPassage, wantedPassage } from "./wanted-passage.ts";

/** What the address asks to show: the same object until that changes. `passage` is its text without Markdown. */
export const useWantedPassage = (
  text: string,
  snippets: readonly Pick<DocumentSnippet, "id" | "start" | "end" | "page">[],
): { wanted: WantedPassage; passage: string | null } => {
  const { query } = useLocation();
  const { start, end, page, snippet } = query;
  const wanted = useMemo(() => wantedPassage(query, text, snippets), [start, end, page, snippet, text, snippets]);
  const passage = useMemo(
    () =>
      wanted.range === null ? null : renderMarkdown(text.slice(wanted.range.start, wanted.range.end), 0).textContent,
    [wanted],
  );
  return { wanted, passage };
};
