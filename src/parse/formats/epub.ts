import { appendBlocks, type Block, type Content, unreadable } from "../blocks/blocks.ts";
import { tidyTitle } from "../blocks/tidy-text.ts";
import { decodeText } from "../containers/charset.ts";
import { openZip } from "../containers/zip.ts";
import { coreProperties } from "../markup/file-properties.ts";
import { childrenNamed, descendant, type MarkupElement, readMarkup, textOf } from "../markup/markup.ts";
import type { ParseContext } from "./context.ts";
import { readHtmlFragment } from "./html/html.ts";

/** Text in which Markdown links to places without a scheme are their label alone, in one pass over it. */
export const withoutInnerLinks = (text: string): string => {
  let plain = "";
  let from = 0;
  /** The last `[` that may begin a label. */
  let open = -1;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\") at++;
    else if (sign === "[") open = at;
    else if (sign === "]" && open >= 0) {
      const label = text.slice(open + 1, at);
      const start = open;
      open = -1;
      if (text[at + 1] !== "(") continue;
      const close = text.indexOf(")", at + 2);
      if (close < 0) break;
      if (!/^[a-z][a-z0-9+.-]{0,40}:/i.test(text.slice(at + 2, Math.min(close, at + 50)))) {
        plain += text.slice(from, start) + label.replace(/\\([[\]])/g, "$1");
        from = close + 1;
      }
      at = close;
    }
  }
  return from === 0 ? text : plain + text.slice(from);
};

/** A book (EPUB 2 and 3): its chapters in reading order; lists of contents are left out. */
export const readEpub = (bytes: Uint8Array, context: ParseContext): Content => {
  const zip = openZip(bytes, context.budget);
  const part = (path: string): string | null => {
    const data = zip.read(path) ?? zip.read(decodedPath(path));
    return data ? decodeText(data, null).text : null;
  };
  if (zip.names.includes("META-INF/rights.xml")) throw unreadable("The book is locked by its seller (DRM).");
  const container = readMarkup(part("META-INF/container.xml") ?? "", "xml");
  const packagePath = descendant(container, "rootfile")?.attributes["full-path"];
  const packageText = packagePath === undefined ? null : part(packagePath);
  if (packagePath === undefined || packageText === null)
    throw unreadable("The book is broken: it lacks its list of parts.");
  const root = readMarkup(packageText, "xml");
  const items = new Map(
    childrenNamed(named(root, "manifest"), itemName(root, "item")).map((item) => [item.attributes.id ?? "", item]),
  );
  const folder = packagePath.slice(0, packagePath.lastIndexOf("/") + 1);
  const blocks: Block[] = [];
  const warnings: string[] = [];
  for (const reference of childrenNamed(named(root, "spine"), itemName(root, "itemref"))) {
    const item = items.get(reference.attributes.idref ?? "");
    const href = item?.attributes.href;
    if (href === undefined || /\bnav\b/.test(item?.attributes.properties ?? "")) continue;
    const path = new URL(href, `file:///${folder}`).pathname.slice(1);
    const chapter = part(path);
    if (chapter === null) warnings.push(`Chapter ${href.slice(0, 80)} is missing.`);
    else appendBlocks(blocks, withoutChapterLinks(readHtmlFragment(chapter, null)));
  }
  const metadata = named(root, "metadata");
  return { title: tidyTitle(textOf(descendant(metadata, "dc:title"))), blocks, warnings, ...coreProperties(metadata) };
};

/** Package files may put all their names under a prefix. */
const itemName = (root: MarkupElement, name: string): string =>
  descendant(root, `opf:${name}`) ? `opf:${name}` : name;
const named = (root: MarkupElement, name: string): MarkupElement | null =>
  descendant(root, name) ?? descendant(root, `opf:${name}`);

/** Links from chapter to chapter lead nowhere outside the book. */
const withoutChapterLinks = (blocks: Block[]): Block[] =>
  blocks.map((block) => {
    if (block.kind === "table") return { ...block, rows: block.rows.map((row) => row.map(withoutInnerLinks)) };
    return block.kind === "code" || block.kind === "page" ? block : { ...block, text: withoutInnerLinks(block.text) };
  });

const decodedPath = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
