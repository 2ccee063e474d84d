import { loweredText, markdownLink, oneLine, raisedText } from "../../blocks/tidy-text.ts";
import { formulaText } from "../../markup/formula.ts";
import { isElement, type MarkupElement, type MarkupNode, textOf } from "../../markup/markup.ts";

/** Inline text of a node: links and code kept as Markdown, emphasis and pictures dropped. */
export const inlineText = (node: MarkupNode, baseUrl: string | null): string => untrimmedInline(node, baseUrl).trim();

/** The same with the white space at its ends, which matters where other text stands beside it. */
export const untrimmedInline = (node: MarkupNode, baseUrl: string | null, before = ""): string => {
  if (!isElement(node)) return collapseSpace(node);
  if (node.name === "br") return "\n";
  if (node.name === "img") return oneLine(node.attributes.alt ?? "");
  if (node.name === "math") return mathText(node);
  if (isHidden(node)) return "";
  const text = childrenText(node, baseUrl);
  const height = /\bvertical-align:\s?(super|sub)\b/.exec(node.attributes.style ?? "")?.[1] ?? node.name;
  if (/^sup(?:er)?$/.test(height) && !text.includes("[")) return raisedText(text, before);
  if (height === "sub") return loweredText(text);
  if (node.name === "a") return link(text, node.attributes.href, baseUrl);
  return /^(code|kbd|samp)$/.test(node.name) ? inlineCode(text) : text;
};

/** MathML as linear text, or the LaTeX source where it has nothing else. */
const mathText = (math: MarkupElement): string => {
  const linear = oneLine(formulaText(math));
  return linear === "" ? oneLine(math.attributes.alttext ?? textOf(math)) : linear;
};

/** White space as HTML shows it: every run is one space. */
export const collapseSpace = (text: string): string => text.replace(/[ \t\r\n\f]+/g, " ");

const childrenText = (element: MarkupElement, baseUrl: string | null): string => {
  const gathered = new GatheredText();
  for (const child of element.children) {
    const part = untrimmedInline(child, baseUrl, gathered.end);
    const needsGap = isElement(child) && isBlockLevel(child) && !gathered.isEmpty && !gathered.endsInSpace;
    const gap = isElement(child) && child.name === "li" ? "; " : " ";
    gathered.add((needsGap ? gap : "") + (gathered.endsInSpace ? part.replace(/^ /, "") : part));
  }
  return gathered.take();
};

/** A link with its absolute address. Without a base, a relative target stays: it may still tell a reader something. */
const link = (text: string, href: string | undefined, baseUrl: string | null): string => {
  const target = (href ?? "").trim();
  if (target === "" || target.startsWith("#")) return text;
  return markdownLink(text, URL.parse(target, baseUrl ?? undefined)?.href ?? target);
};

/** The text in backticks, the white space around it outside them. */
const inlineCode = (text: string): string => {
  if (!/\S/.test(text) || text.includes("`")) return text;
  const code = text.trim();
  const start = text.indexOf(code);
  return `${text.slice(0, start)}\`${code}\`${text.slice(start + code.length)}`;
};

const unread = new Set(
  (
    "script style noscript template svg iframe object embed canvas video audio map head title meta link input select " +
    "button textarea datalist dialog"
  ).split(" "),
);
const blockLevel = new Set(
  (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer " +
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol p pre search section summary table ul " +
    "caption tbody thead tfoot tr td th legend"
  ).split(" "),
);

export const isBlockLevel = (element: MarkupElement): boolean => blockLevel.has(element.name);

/** Whether an element shows no text of the page: hidden by the author, or of a kind that holds none. */
export const isHidden = ({ name, attributes }: MarkupElement): boolean =>
  // A checkbox holds no text, but may say of a task whether it is done.
  (unread.has(name) && attributes.type !== "checkbox") || (isConcealed(attributes) && !isPanel(attributes));

/** The panels of tabs, and what unfolds, are hidden one by one and belong to the page all the same. */
const isPanel = ({ role, class: names = "" }: MarkupElement["attributes"]): boolean =>
  role === "tabpanel" ||
  /(?:^|[\s_-])(?:tabs?|tab-?(?:pane|panel|content)s?|accordion|collaps(?:e|ible)|panel|faq|answer)(?:$|[\s_-])/i.test(
    names,
  );

const isConcealed = (attributes: MarkupElement["attributes"]): boolean =>
  attributes.hidden !== undefined ||
  attributes["aria-hidden"] === "true" ||
  /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.style ?? "");

/**
 * A text that is built of pieces and knows how it ends. With a plain string, looking at its end after each piece would
 * copy all of it.
 */
export class GatheredText {
  private pieces: string[] = [];
  endsInSpace = false;
  /** The white space at the end contains a line break. */
  endsInBreak = false;

  get isEmpty(): boolean {
    return this.pieces.length === 0;
  }

  /** Its last characters. */
  get end(): string {
    return this.pieces.slice(-4).join("").slice(-4);
  }

  add(piece: string): void {
    if (piece === "") return;
    const end = piece.slice(piece.trimEnd().length);
    this.endsInBreak = end.includes("\n") || (end.length === piece.length && this.endsInBreak);
    this.endsInSpace = end !== "";
    this.pieces.push(piece);
  }

  /** Empties it. @returns the whole text */
  take(): string {
    const text = this.pieces.join("");
    this.pieces = [];
    this.endsInSpace = false;
    this.endsInBreak = false;
    return text;
  }
}
