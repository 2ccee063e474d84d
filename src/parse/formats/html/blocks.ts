import type { Block } from "../../blocks/blocks.ts";
import { markdownLink } from "../../blocks/markdown-link.ts";
import { isElement, type MarkupElement, type MarkupNode, textOf } from "../../markup.ts";
import { oneLine } from "../../tidy-text.ts";
import { GatheredText } from "./gathered-text.ts";
import { isLayoutTable, tableRows } from "./table.ts";

const skipped = new Set(
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

/** The blocks of an HTML tree in reading order. Links come out whole against `baseUrl`; hidden parts are left out. */
export const htmlBlocks = (root: MarkupElement, baseUrl: string | null): Block[] => {
  const walker = new Walker(baseUrl);
  walker.children(root);
  walker.flush();
  return walker.blocks;
};

/** Inline text of a node: links and code kept as Markdown, emphasis and pictures dropped. */
export const inlineText = (node: MarkupNode, baseUrl: string | null): string => inline(node, baseUrl).trim();

export const isHidden = (element: MarkupElement): boolean => {
  const { attributes } = element;
  return (
    skipped.has(element.name) ||
    attributes.hidden !== undefined ||
    attributes["aria-hidden"] === "true" ||
    /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.style ?? "")
  );
};

interface List {
  ordered: boolean;
  next: number;
}

/** Walks block elements; text between them gathers in `pending` until a block begins or ends. */
class Walker {
  readonly blocks: Block[] = [];
  private readonly pending = new GatheredText();
  private readonly lists: List[] = [];
  /** The item that the next text begins; later text of that item is a paragraph within it. */
  private itemMarker: string | null = null;

  constructor(private readonly baseUrl: string | null) {}

  flush(): void {
    const text = this.pending.take().trim();
    if (text === "") return;
    const depth = this.lists.length - 1;
    if (depth < 0) this.blocks.push({ kind: "paragraph", text });
    else if (this.itemMarker === null) this.continueItem(text, depth);
    else this.blocks.push({ kind: "item", depth, marker: this.itemMarker, text });
    this.itemMarker = null;
  }

  /** A second paragraph of a list item stays with it. */
  private continueItem(text: string, depth: number): void {
    const last = this.blocks.at(-1);
    if (last?.kind === "item" && last.depth === depth) last.text += `\n${text}`;
    else this.blocks.push({ kind: "paragraph", text });
  }

  children(element: MarkupElement): void {
    for (const child of element.children) this.node(child);
  }

  private node(node: MarkupNode): void {
    if (!isElement(node)) {
      this.pending.add(collapsed(node, this.pending));
      return;
    }
    if (isHidden(node)) return;
    const { name } = node;
    if (name === "br") this.lineBreak();
    else if (blockLevel.has(name)) this.block(node);
    else if (hasBlockInside(node)) this.children(node);
    else {
      const text = inline(node, this.baseUrl);
      this.pending.add(this.pending.isEmpty || this.pending.endsInSpace ? text.trimStart() : text);
    }
  }

  /** Two in a row are how old pages part paragraphs. */
  private lineBreak(): void {
    if (this.pending.endsInBreak) this.flush();
    else this.pending.add("\n");
  }

  private block(element: MarkupElement): void {
    this.flush();
    const heading = /^h([1-6])$/.exec(element.name);
    if (heading) {
      const text = oneLine(inline(element, this.baseUrl));
      if (text !== "") this.blocks.push({ kind: "heading", level: Number(heading[1]), text });
    } else if (element.name === "pre") {
      this.blocks.push({ kind: "code", language: codeLanguage(element), text: preformatted(element) });
    } else if (element.name === "ul" || element.name === "ol" || element.name === "menu" || element.name === "dir") {
      this.list(element);
    } else if (element.name === "li") {
      this.item(element);
    } else if (element.name === "table") {
      this.table(element);
    } else if (element.name === "blockquote") {
      this.quote(element);
    } else {
      this.children(element);
    }
    this.flush();
  }

  private list(element: MarkupElement): void {
    const start = Number.parseInt(element.attributes.start ?? "1", 10);
    this.lists.push({ ordered: element.name === "ol", next: Number.isFinite(start) ? start : 1 });
    this.children(element);
    this.flush();
    this.lists.pop();
    this.itemMarker = null;
  }

  private item(element: MarkupElement): void {
    const stray = this.lists.length === 0;
    if (stray) this.lists.push({ ordered: false, next: 1 });
    const list = this.lists.at(-1);
    this.itemMarker = list?.ordered ? `${list.next++}.` : "-";
    this.children(element);
    this.flush();
    this.itemMarker = null;
    if (stray) this.lists.pop();
  }

  private table(element: MarkupElement): void {
    if (isLayoutTable(element)) {
      this.children(element);
      return;
    }
    const { caption, rows } = tableRows(element, this.baseUrl);
    if (caption !== "") this.blocks.push({ kind: "paragraph", text: caption });
    this.blocks.push({ kind: "table", rows });
  }

  private quote(element: MarkupElement): void {
    const inner = htmlBlocks({ ...element, name: "div" }, this.baseUrl);
    const plain = inner.every((block) => block.kind === "paragraph");
    if (plain) {
      const text = inner.map((block) => (block.kind === "paragraph" ? block.text : "")).join("\n\n");
      if (text !== "") this.blocks.push({ kind: "quote", text });
    } else this.blocks.push(...inner);
  }
}

const hasBlockInside = (element: MarkupElement): boolean =>
  element.children.some(
    (child) =>
      isElement(child) &&
      !isHidden(child) &&
      (child.name === "br" || blockLevel.has(child.name) || hasBlockInside(child)),
  );

/** White space as HTML shows it: runs are one space, none at the begin of a line. */
const collapsed = (text: string, before: GatheredText): string => {
  const single = text.replace(/[ \t\r\n\f]+/g, " ");
  return before.isEmpty || before.endsInSpace ? single.replace(/^ /, "") : single;
};

const inline = (node: MarkupNode, baseUrl: string | null): string => {
  if (!isElement(node)) return node.replace(/[ \t\r\n\f]+/g, " ");
  if (node.name === "br") return "\n";
  if (node.name === "img") return oneLine(node.attributes.alt ?? "");
  if (node.name === "math") return oneLine(node.attributes.alttext ?? textOf(node));
  if (isHidden(node)) return "";
  const gathered = new GatheredText();
  for (const child of node.children) {
    const part = inline(child, baseUrl);
    const wantsGap = isElement(child) && blockLevel.has(child.name) && !gathered.isEmpty && !gathered.endsInSpace;
    gathered.add((wantsGap ? " " : "") + (gathered.endsInSpace ? part.replace(/^ /, "") : part));
  }
  const text = gathered.take();
  if (node.name === "a") return link(text, node.attributes.href, baseUrl);
  if ((node.name === "code" || node.name === "kbd" || node.name === "samp") && /\S/.test(text) && !text.includes("`")) {
    const inner = text.trim();
    const start = text.indexOf(inner);
    return `${text.slice(0, start)}\`${inner}\`${text.slice(start + inner.length)}`;
  }
  return text;
};

/** A link in full; without a base, a relative target is kept as it stands: it may still tell a reader something. */
const link = (text: string, href: string | undefined, baseUrl: string | null): string => {
  const target = (href ?? "").trim();
  if (target === "" || target.startsWith("#")) return text;
  return markdownLink(text, URL.parse(target, baseUrl ?? undefined)?.href ?? target);
};

const preformatted = (element: MarkupElement): string => {
  const text = (node: MarkupNode): string =>
    isElement(node) ? (node.name === "br" ? "\n" : node.children.map(text).join("")) : node;
  return text(element).replace(/^\r?\n/, "");
};

const codeLanguage = (element: MarkupElement): string => {
  const classes = [element, ...element.children.filter(isElement)].map((part) => part.attributes.class ?? "");
  return /(?:language|lang|highlight-source)-([\w+#-]+)/.exec(classes.join(" "))?.[1] ?? "";
};
