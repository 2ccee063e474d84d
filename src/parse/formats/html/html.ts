import type { Block, Content } from "../../blocks/blocks.ts";
import { oneLine, tidyTitle } from "../../blocks/tidy-text.ts";
import { fileProperties } from "../../markup/file-properties.ts";
import { descendant, descendants, type MarkupElement, readMarkup, textOf } from "../../markup/markup.ts";
import { htmlBlocks } from "./blocks.ts";
import { mainContent } from "./main-content.ts";
import { withNotes } from "./notes.ts";

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
