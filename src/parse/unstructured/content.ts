import type { Element } from "../../../providers/unstructured/partition.ts";
import type { Block, Content } from "../blocks/blocks.ts";
import { tidyTitle } from "../blocks/tidy-text.ts";
import { tableRows } from "../formats/html/table.ts";
import { descendants, readMarkup } from "../markup/markup.ts";

/** Tables with more HTML are kept as plain text. */
const maxTableHtmlCharacters = 4 * 1024 * 1024;

/** Elements of the page layout, not text of the document. */
const pageElements = new Set(["PageBreak", "PageNumber", "Header", "Footer", "UncategorizedHeader"]);

/**
 * Unstructured's elements as the blocks that every built-in parser gives, so that the same content comes out the same
 * from either parser: titles as headings by their depth, tables from their HTML, pages and sheets kept.
 */
export const contentOf = (elements: readonly Element[]): Content => {
  const blocks: Block[] = [];
  const first = elements[0]?.metadata;
  let page: number | null = null;
  let sheet: string | null = null;
  const outermost = outermostDepth(elements);
  if (first?.subject) blocks.push({ kind: "heading", level: 1, text: first.subject });
  for (const [label, people] of [["From", first?.sent_from] as const, ["To", first?.sent_to] as const])
    if (people && people.length > 0) blocks.push({ kind: "paragraph", text: `${label}: ${people.join(", ")}` });
  for (const { type, text, metadata } of elements) {
    if (pageElements.has(type)) continue;
    if (metadata.page_number != null && metadata.page_number !== page) {
      page = metadata.page_number;
      blocks.push({ kind: "page", page });
    }
    if (metadata.page_name && metadata.page_name !== sheet) {
      sheet = metadata.page_name;
      blocks.push({ kind: "heading", level: 2, text: sheet });
      if (type === "Title" && text.trim() === sheet.trim()) continue;
    }
    blocks.push(blockOf(type, text, metadata, outermost));
  }
  const title = elements.find(({ type }) => type === "Title")?.text;
  return { title: tidyTitle(first?.subject ?? title), blocks, warnings: [] };
};

/** The depth of the outermost list items: Unstructured counts from 1 in HTML, and from 0 in slides and documents. */
const outermostDepth = (elements: readonly Element[]): number =>
  elements.reduce(
    (least, { type, metadata }) => (type === "ListItem" ? Math.min(least, metadata.category_depth ?? least) : least),
    Number.POSITIVE_INFINITY,
  );

const blockOf = (type: string, text: string, metadata: Element["metadata"], outermost: number): Block => {
  const depth = metadata.category_depth ?? 0;
  switch (type) {
    case "Title":
      return { kind: "heading", level: depth + 1, text };
    case "ListItem":
      return { kind: "item", depth: Math.max(depth - outermost, 0), marker: "-", text };
    case "CodeSnippet":
      return { kind: "code", language: "", text };
    case "Table": {
      const html = metadata.text_as_html ?? "";
      const isRead = html !== "" && html.length <= maxTableHtmlCharacters;
      const [table] = isRead ? descendants(readMarkup(html, "html"), "table") : [];
      return table ? { kind: "table", rows: tableRows(table, null).rows } : { kind: "paragraph", text };
    }
    default:
      return { kind: "paragraph", text };
  }
};
