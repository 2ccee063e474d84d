import { findPassage } from "./find-passage.ts";

/** Takes away what `markPassage` marked. */
export const unmarkPassage = (root: Element): void => {
  for (const mark of root.querySelectorAll("mark.passage")) mark.replaceWith(...mark.childNodes);
  root.normalize();
};

/**
 * Marks a passage where it stands under an element.
 * @param near where it is expected, 0 to 1 of the element's text
 * @returns the marks, in the order of the text; none where it is not found
 */
export const markPassage = (root: Element, passage: string, near: number): HTMLElement[] => {
  const nodes: { node: Text; start: number }[] = [];
  let text = "";
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    nodes.push({ node: node as Text, start: text.length });
    // Words of two elements are two words, for the sentences of `findPassage`.
    text += `${(node as Text).data} `;
  }
  const parts = findPassage(text, passage, near).flatMap(({ start, end }) =>
    nodes.flatMap(({ node, start: from }) => {
      const first = Math.max(0, start - from);
      const last = Math.min(node.data.length, end - from);
      return first < last ? [{ node, first, last }] : [];
    }),
  );
  // From the last to the first: marking leaves what stands before it in the same node.
  return parts
    .reverse()
    .map(({ node, first, last }) => markPart(node, first, last))
    .reverse();
};

const markPart = (node: Text, first: number, last: number): HTMLElement => {
  const range = document.createRange();
  range.setStart(node, first);
  range.setEnd(node, last);
  const mark = document.createElement("mark");
  mark.className = "passage";
  range.surroundContents(mark);
  return mark;
};
