import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Doubt, doubtWords } from "../../../answers/doubt.ts";
import { addCopyButton, copyCode, letScroll, renderMarkdown, renderPassage } from "./markdown.ts";
import { passageMarkdown, type Range } from "./passage-markdown.ts";

const sourceLabel = (number: number): string => `Source ${number}`;

/** What a reader should know before trusting an answer, below it: nothing moves when it comes. */
export const DoubtNote = ({ doubt }: { doubt: Doubt | null }) =>
  doubt !== null && (
    <p class="doubt" role="note">
      {doubtWords[doubt]}
    </p>
  );

interface AnswerTextProps {
  text: string;
  /** How many sources its marks may name. */
  sources: number;
  /** A mark was chosen. */
  onSource(number: number): void;
  /** The pointer or the focus came to a mark, or left it (null). */
  onPoint?(number: number | null): void;
  /** The source whose marks are shown as joined with it. */
  pointed?: number | null;
}

/** The Markdown of an answer, with marks that lead to its sources, and code that can be copied. */
export const AnswerText = ({ text, sources, onSource, onPoint, pointed = null }: AnswerTextProps) => {
  const place = useRef<HTMLDivElement>(null);
  const actions = useRef({ onSource, onPoint });
  actions.current = { onSource, onPoint };

  // Not after the paint: whoever sees a mark may point at it.
  useLayoutEffect(() => {
    const { current } = place;
    if (current === null) return;
    const point = (event: Event): void => actions.current.onPoint?.(numberAt(event));
    const leave = (): void => actions.current.onPoint?.(null);
    const choose = (event: Event): void => {
      const number = numberAt(event);
      if (number !== null) actions.current.onSource(number);
      else void copyCode(event);
    };
    const listeners = { click: choose, pointerover: point, pointerleave: leave, focusin: point, focusout: leave };
    for (const [name, listener] of Object.entries(listeners)) current.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) current.removeEventListener(name, listener);
    };
  }, []);

  useLayoutEffect(() => {
    const { current } = place;
    if (current === null) return;
    for (const mark of current.querySelectorAll(".mark.pointed")) mark.classList.remove("pointed");
    const fragment = renderMarkdown(text, sources);
    for (const mark of fragment.querySelectorAll<HTMLElement>("button.mark"))
      mark.setAttribute("aria-label", sourceLabel(Number(mark.dataset.source)));
    for (const code of fragment.querySelectorAll("pre")) addCopyButton(code);
    for (const table of fragment.querySelectorAll("table")) letScroll(table);
    updateChildren(current, fragment);
  }, [text, sources]);

  useLayoutEffect(() => {
    for (const mark of place.current?.querySelectorAll<HTMLElement>(".mark") ?? [])
      mark.classList.toggle("pointed", Number(mark.dataset.source) === pointed);
  }, [text, sources, pointed]);

  return <div class="text" dir="auto" ref={place} />;
};

const numberAt = ({ target }: Event): number | null => {
  const mark = target instanceof Element ? target.closest<HTMLElement>("button.mark") : null;
  return mark === null ? null : Number(mark.dataset.source);
};

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

/**
 * Makes the children of a place those of `wanted`. Children that are the same stay as they are, so that the focus, a
 * selection and what a screen reader has read survive while a text grows.
 */
const updateChildren = (place: Element, wanted: DocumentFragment): void => {
  const nodes = [...wanted.childNodes];
  for (const [at, node] of nodes.entries()) {
    const old = place.childNodes[at];
    if (old === undefined) place.append(node);
    else if (!old.isEqualNode(node)) old.replaceWith(node);
  }
  while (place.childNodes.length > nodes.length) place.lastChild?.remove();
};
