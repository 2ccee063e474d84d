import type { Block, Content } from "../../blocks/blocks.ts";
import { oneLine, tidyTitle } from "../../blocks/tidy-text.ts";
import { fileProperties } from "../../markup/file-properties.ts";
import {
  childElements,
  descendant,
  descendants,
  isElement,
  type MarkupElement,
  type MarkupNode,
  readMarkup,
  textOf,
} from "../../markup/markup.ts";
import { htmlBlocks } from "./blocks.ts";
import { mainContent } from "./main-content.ts";

/** A page's main content with its title. Links are resolved against its `base` element, else `baseUrl`. */
export const readHtml = (html: string, baseUrl: string | null): Content => {
  const root = readMarkup(html, "html");
  const title = pageTitle(root);
  const blocks = htmlBlocks(withNotes(mainContent(root, html)), linkBase(root, baseUrl));
  return { title, blocks: withHeading(blocks, root), warnings: [], ...pageProperties(root) };
};

/** All of an HTML fragment, such as a mail's body or a chapter; nothing is left out as navigation. */
export const readHtmlFragment = (html: string, baseUrl: string | null): Block[] => {
  const root = readMarkup(html, "html");
  return htmlBlocks(withNotes(descendant(root, "body") ?? root), linkBase(root, baseUrl));
};

/** `<title>`, else the title given for sharing, else the first heading. */
const pageTitle = (root: MarkupElement): string | null => {
  const shared = descendants(root, "meta").find((meta) => meta.attributes.property === "og:title");
  return (
    tidyTitle(textOf(descendant(descendant(root, "head") ?? root, "title"))) ??
    tidyTitle(shared?.attributes.content) ??
    tidyTitle(textOf(descendant(root, "h1")))
  );
};

/** What the page states of itself in its `meta` elements. */
const pageProperties = (root: MarkupElement): Pick<Content, "properties"> => {
  const stated = descendants(descendant(root, "head") ?? root, "meta").map(({ attributes }) => ({
    name: (attributes.name ?? attributes.property ?? attributes.itemprop ?? "").toLowerCase(),
    content: attributes.content ?? "",
  }));
  const all = (...names: string[]): string[] =>
    stated.filter(({ name }) => names.includes(name)).map(({ content }) => content);
  // An author may be the address of a profile.
  const authors = all("author", "article:author", "dc.creator", "dcterms.creator").filter(
    (one) => !/^https?:/i.test(one),
  );
  return fileProperties({
    authors,
    date: all("article:published_time", "date", "dc.date", "dcterms.date", "datepublished", "pubdate")[0],
    created: all("dcterms.created", "datecreated")[0],
    updated: all("article:modified_time", "og:updated_time", "last-modified", "dcterms.modified", "datemodified")[0],
    keywords: all("keywords"),
    description: all("description", "og:description", "dc.description")[0],
    language: descendant(root, "html")?.attributes.lang,
  });
};

const linkBase = (root: MarkupElement, baseUrl: string | null): string | null => {
  const stated = descendant(root, "base")?.attributes.href;
  return stated === undefined ? baseUrl : (URL.parse(stated, baseUrl ?? undefined)?.href ?? baseUrl);
};

/** Puts the page's `h1` first where Readability or the choice of `main` left it out. */
const withHeading = (blocks: Block[], root: MarkupElement): Block[] => {
  if (blocks.length === 0 || blocks.some((block) => block.kind === "heading" && block.level === 1)) return blocks;
  const headings = descendants(root, "h1");
  const text = headings.length === 1 ? oneLine(textOf(headings[0] ?? null)) : "";
  if (text === "" || blocks.some((block) => block.kind === "heading" && block.text === text)) return blocks;
  return [{ kind: "heading", level: 1, text }, ...blocks];
};

const noteMark = /^[[(]?(\d{1,4}|[a-z]|[*†‡§]{1,3})[\])]?$/i;
const noteWords = /\b(noteref|doc-noteref|footnote|endnote|sdfootnote|sdendnote|reference)/i;
/** What leads from a note back into the text: arrows, carets, the note's own mark. */
const backMark = /^(↩|↑|⏎|\^|[[(]?(\d{1,4}|[a-z]|[*†‡§]{1,3})[\])]?)[\ufe0e\ufe0f]?$/i;
const paragraphs = new Set(["p", "div", "li", "td", "dd", "section", "aside"]);

/**
 * A copy in which references to foot- and endnotes are `[^1]`, as in Markdown, and the notes begin with it. Notes that
 * are not part of the tree leave their references unchanged.
 */
const withNotes = (root: MarkupElement): MarkupElement => {
  const references = new Map<MarkupElement, string>();
  collectReferences(root, false, references);
  if (references.size === 0) return root;
  const holders = new Map<string, MarkupElement>();
  collectHolders(root, null, new Set(references.values()), references, holders);
  const numbers = new Map<MarkupElement, number>();
  for (const target of references.values()) {
    const holder = holders.get(target);
    if (holder && !numbers.has(holder)) numbers.set(holder, numbers.size + 1);
  }
  const rewrite = (node: MarkupNode, isInNote: boolean): MarkupNode => {
    if (!isElement(node)) return node;
    const holder = holders.get(references.get(node) ?? "");
    const number = holder === undefined || isInNote ? undefined : numbers.get(holder);
    if (number !== undefined) return `[^${number}]`;
    if (isInNote && isBackLink(node)) return "";
    const own = numbers.get(node);
    const children = node.children.map((child) => rewrite(child, isInNote || own !== undefined));
    const items = childElements(node);
    const holdsNotes = items.length > 0 && items.every((item) => numbers.has(item));
    const name =
      own !== undefined && node.name === "li" ? "p" : /^[ou]l$/.test(node.name) && holdsNotes ? "div" : node.name;
    const rewritten = { ...node, name, children };
    return own === undefined ? rewritten : withPrefix(rewritten, `[^${own}]: `);
  };
  return rewrite(root, false) as MarkupElement;
};

/** Links within the page whose text is a mark, raised or named as a reference. */
const collectReferences = (element: MarkupElement, isRaised: boolean, found: Map<MarkupElement, string>): void => {
  for (const child of childElements(element)) {
    const { attributes } = child;
    const href = attributes.href ?? "";
    const words = `${attributes.class ?? ""} ${attributes.role ?? ""} ${attributes["epub:type"] ?? ""}`;
    if (child.name === "a" && href.length > 1 && href.startsWith("#") && noteMark.test(textOf(child).trim())) {
      const raised = isRaised || childElements(child).some((inner) => inner.name === "sup");
      if ((raised || noteWords.test(words)) && !/back|sym\b/.test(words)) found.set(child, decoded(href.slice(1)));
    } else collectReferences(child, isRaised || child.name === "sup", found);
  }
};

/** The paragraphs or list items that are, or hold, what the references lead to. */
const collectHolders = (
  element: MarkupElement,
  paragraph: MarkupElement | null,
  targets: ReadonlySet<string>,
  references: ReadonlyMap<MarkupElement, string>,
  holders: Map<string, MarkupElement>,
): void => {
  for (const child of childElements(element)) {
    const around = paragraphs.has(child.name) ? child : paragraph;
    for (const id of [child.attributes.id, child.name === "a" ? child.attributes.name : undefined]) {
      if (id !== undefined && targets.has(id) && around && !references.has(child) && !holders.has(id))
        holders.set(id, around);
    }
    collectHolders(child, around, targets, references, holders);
  }
};

const isBackLink = ({ name, attributes, ...element }: MarkupElement): boolean => {
  const text = textOf({ name, attributes, ...element }).trim();
  return name === "a" && (attributes.href ?? "").startsWith("#") && (text === "" || backMark.test(text));
};

/** The element with a text before its first words, inside the paragraphs that those stand in. */
const withPrefix = (element: MarkupElement, text: string): MarkupElement => {
  const at = element.children.findIndex((child) => isElement(child) || child.trim() !== "");
  const first = element.children[at];
  const children = [...element.children];
  if (first !== undefined && isElement(first) && paragraphs.has(first.name)) children[at] = withPrefix(first, text);
  else children.unshift(text);
  return { ...element, children };
};

const decoded = (id: string): string => {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
};
