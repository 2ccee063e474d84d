import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { renderPassage } from "./markdown.ts";
import { passageMarkdown, type Range } from "./passage-markdown.ts";
import { letScroll } from "./text-blocks.ts";

interface PassageTextProps {
  text: string;
  /** Names of the columns, where the passage begins in the middle of a table. */
  columns: readonly string[];
  /** What an answer takes from it. */
  cited?: readonly Range[];
  /** The first character that is shown. */
  begin?: number;
}

const none: readonly Range[] = [];

/** A passage of a document as it is read: headings, lists and tables are drawn, and nothing is loaded. */
export const PassageText = ({ text, columns, cited = none, begin = 0 }: PassageTextProps) => {
  const place = useRef<HTMLQuoteElement>(null);
  useLayoutEffect(() => {
    const { current } = place;
    if (current === null) return;
    const fragment = renderPassage(passageMarkdown(text, { columns, cited, begin }));
    for (const table of fragment.querySelectorAll("table")) letScroll(table);
    // A long line is scrolled to by keyboard too.
    for (const code of fragment.querySelectorAll("pre")) code.tabIndex = 0;
    current.replaceChildren(fragment);
  }, [text, columns, cited, begin]);
  // Where the end does not fit in, it fades. A passage that is folded away has a size only once it is opened.
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    const sizes = new ResizeObserver(() => {
      current.classList.toggle("cut", current.scrollHeight > current.clientHeight + 1);
    });
    sizes.observe(current);
    return () => sizes.disconnect();
  }, []);
  return <blockquote class="passage-text" dir="auto" ref={place} />;
};
