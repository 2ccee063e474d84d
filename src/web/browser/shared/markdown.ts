import DOMPurify from "dompurify";
import { Marked } from "marked";
import { copyText } from "./controls.tsx";
import { formulas } from "./formula.ts";
import { markSigns } from "./passage-markdown.ts";

const words = { copy: "Copy", copied: "Copied", table: "Table" };

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
const createMarkdown = (): Marked => {
  const made = new Marked({
    async: false,
    gfm: true,
    breaks: true,
    renderer: { html: ({ text }) => escaped(text), image: ({ text }) => escaped(text) },
  });
  made.use(formulas(escaped));
  return made;
};
const markdown = createMarkdown();
/** Of documents: an indented line is code in none but Markdown's own. */
const passages = createMarkdown().use({
  tokenizer: { code: () => undefined },
  extensions: [
    {
      // The mark of a footnote, in the text and before the note.
      name: "footnote",
      level: "inline",
      start: (source) => source.indexOf("[^"),
      tokenizer(source) {
        const [raw] = /^\[\^[\w-]{1,32}\](?!\():?/.exec(source) ?? [];
        return raw === undefined ? undefined : { type: "footnote", raw };
      },
      renderer: () => "",
    },
  ],
});

const harmlessAddress = /^(?:https?|mailto):/i;

/** A source mark in running text. */
const mark = /\[(\d{1,3})\]/g;

/**
 * Markdown of a model, or of a stranger's document, as safe elements. Source marks become buttons with the class `mark`
 * and `data-source`, unless they stand in code.
 * @param sources the number of sources that marks may name
 */
export const renderMarkdown = (text: string, sources: number): DocumentFragment => {
  const fragment = safe(markdown.parse(text, { async: false }));
  for (const link of fragment.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
  }
  for (const node of textNodesOf(fragment, "code, pre, a")) markSources(node, sources);
  return inOwnDirections(fragment);
};

/**
 * Markdown of a passage of a document as safe elements: its headings are bold lines, its links their text, and what stands
 * between the signs of `passageMarkdown` is marked.
 */
export const renderPassage = (text: string): DocumentFragment => {
  const fragment = safe(passages.parse(text, { async: false }));
  for (const link of fragment.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  for (const heading of fragment.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const line = document.createElement("p");
    const bold = document.createElement("strong");
    bold.append(...heading.childNodes);
    line.append(bold);
    heading.replaceWith(line);
  }
  for (const head of fragment.querySelectorAll("thead")) if (head.textContent?.trim() === "") head.remove();
  fragment.normalize();
  for (const block of fragment.children) markBetweenSigns(block);
  return inOwnDirections(fragment);
};

const safe = (html: string): DocumentFragment =>
  DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    ALLOWED_URI_REGEXP: harmlessAddress,
    RETURN_DOM_FRAGMENT: true,
  });

/** Each block has the direction of its own text: lists and tables as a whole. */
const inOwnDirections = (fragment: DocumentFragment): DocumentFragment => {
  for (const block of fragment.children) if (block instanceof HTMLElement) block.dir = "auto";
  return fragment;
};

/** What is marked may reach over emphasis and cells: each text in it is marked by itself. */
const markBetweenSigns = (block: Element): void => {
  let isInside = false;
  for (const node of textNodesOf(block, "")) {
    const parts: (string | Node)[] = [];
    let at = 0;
    const take = (end: number): void => {
      const text = node.data.slice(at, end);
      if (isInside && text.trim() !== "") parts.push(markElement(text));
      else parts.push(text);
      at = end + 1;
    };
    for (let end = 0; end < node.data.length; end += 1) {
      const isSign = node.data[end] === markSigns.begin || node.data[end] === markSigns.end;
      if (!isSign) continue;
      take(end);
      isInside = node.data[end] === markSigns.begin;
    }
    if (at > 0 || isInside) {
      take(node.data.length);
      node.replaceWith(...parts);
    }
  }
};

const markElement = (text: string): HTMLElement => {
  const element = document.createElement("mark");
  element.textContent = text;
  return element;
};

/** @param without texts in these are left out; empty: none are */
const textNodesOf = (root: Node, without: string): Text[] => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (without === "" || (node.parentElement?.closest(without) ?? null) === null) found.push(node as Text);
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

/** Puts a block of code into a part with a button that copies it: `copyCode` runs where it is pressed. */
export const addCopyButton = (code: HTMLPreElement): void => {
  const block = document.createElement("div");
  block.className = "code-block";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet copy-code";
  button.textContent = words.copy;
  code.replaceWith(block);
  code.dir = "ltr";
  // A long line is scrolled to by keyboard too.
  code.tabIndex = 0;
  block.append(code, button);
};

/** Copies the block of code whose button was pressed, if one was. */
export const copyCode = async ({ target }: Event): Promise<void> => {
  const button = target instanceof Element ? target.closest(".copy-code") : null;
  if (button === null) return;
  if (await copyText(button.previousElementSibling?.textContent ?? "")) button.textContent = words.copied;
};

/** A wide table scrolls in itself, by keyboard too. */
export const letScroll = (table: HTMLTableElement): void => {
  const part = document.createElement("div");
  part.className = "table-part";
  part.tabIndex = 0;
  part.setAttribute("role", "group");
  part.setAttribute("aria-label", words.table);
  part.dir = table.dir;
  table.replaceWith(part);
  part.append(table);
};
