import DOMPurify from "dompurify";
import { Marked } from "marked";
import { formulas } from "./formula.ts";

/** What shown Markdown may contain. No pictures, forms or frames: nothing is loaded, and no script runs. */
export const allowedTags = [
  "a",
  "blockquote",
  "br",
  "code",
  "del",
  "em",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "hr",
  "li",
  "ol",
  "p",
  "pre",
  "strong",
  "sub",
  "sup",
  "table",
  "tbody",
  "td",
  "th",
  "thead",
  "tr",
  "ul",
];
export const allowedAttributes = ["href", "start", "align"];
/** Text as HTML. */
export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** HTML in the Markdown is shown as text. A picture is its description. */
const markdown = new Marked({
  async: false,
  gfm: true,
  breaks: true,
  renderer: { html: ({ text }) => escaped(text), image: ({ text }) => escaped(text) },
});
markdown.use(formulas(escaped));

const harmlessAddress = /^(?:https?|mailto):/i;

/** A source mark in running text. */
const mark = /\[(\d{1,3})\]/g;

/**
 * Markdown of a model, or of a stranger's document, as safe elements. Source marks become buttons with the class `mark`
 * and `data-source`, unless they stand in code.
 * @param sources the number of sources that marks may name
 */
export const renderMarkdown = (text: string, sources: number): DocumentFragment => {
  const html = markdown.parse(text, { async: false });
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    ALLOWED_URI_REGEXP: harmlessAddress,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
  }
  for (const node of textNodesOf(fragment)) markSources(node, sources);
  // Each block has the direction of its own text: lists and tables as a whole.
  for (const block of fragment.children) if (block instanceof HTMLElement) block.dir = "auto";
  return fragment;
};

const textNodesOf = (root: DocumentFragment): Text[] => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node.parentElement?.closest("code, pre, a") === null || node.parentElement === null) found.push(node as Text);
  return found;
};

const markSources = (node: Text, sources: number): void => {
  const text = node.data;
  const parts: (string | Node)[] = [];
  let end = 0;
  for (const match of text.matchAll(mark)) {
    const number = Number(match[1]);
    if (number < 1 || number > sources) continue;
    parts.push(text.slice(end, match.index), markButton(number));
    end = match.index + match[0].length;
  }
  if (end > 0) node.replaceWith(...parts, text.slice(end));
};

const markButton = (number: number): HTMLButtonElement => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "mark";
  button.dataset.source = String(number);
  button.textContent = String(number);
  return button;
};
