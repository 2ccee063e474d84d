import type { Block, Content } from "../../blocks/blocks.ts";
import { appendBlocks } from "../../blocks/blocks.ts";
import { unreadable } from "../../blocks/failure.ts";
import { gridRows } from "../../blocks/grid.ts";
import { sheetBlocks } from "../../blocks/sheet-blocks.ts";
import { oneLine, tidyTitle } from "../../blocks/tidy-text.ts";
import { decodeText } from "../../containers/charset.ts";
import { openZip } from "../../containers/zip.ts";
import { coreProperties } from "../../markup/file-properties.ts";
import {
  childElements,
  childNamed,
  childrenNamed,
  descendant,
  descendants,
  type MarkupElement,
  readMarkup,
  textOf,
} from "../../markup/markup.ts";
import type { ParseContext } from "../context.ts";
import { sheetRows, tableCells } from "./tables.ts";
import { inlineText, noteBlocks, type TextStyles, textStyles } from "./text.ts";

const maxDepth = 8;

/** A text, spreadsheet or presentation of OpenDocument (OASIS ODF 1.3). */
export const readOpenDocument = (bytes: Uint8Array, context: ParseContext): Content => {
  const zip = openZip(bytes, context.budget);
  const part = (name: string) => {
    const data = zip.read(name);
    return data ? decodeText(data, null).text : null;
  };
  if (/<manifest:encryption-data/.test(part("META-INF/manifest.xml") ?? "")) {
    throw unreadable("The file is locked with a password. Unlock it and try again.");
  }
  const content = part("content.xml");
  if (content === null) throw unreadable("The file is broken: it lacks its content.");
  const root = readMarkup(content, "xml");
  const shared = part("styles.xml");
  const meta = part("meta.xml");
  return documentContent(
    root,
    textStyles(shared === null ? [root] : [readMarkup(shared, "xml"), root]),
    meta ? readMarkup(meta, "xml") : null,
  );
};

/** The same in one XML file (`.fodt`, `.fods`, `.fodp`). */
export const readFlatDocument = (root: MarkupElement): Content => documentContent(root, textStyles([root]), root);

const documentContent = (root: MarkupElement, styles: TextStyles, meta: MarkupElement | null): Content => {
  const body = childElements(descendant(root, "office:body") ?? root)[0];
  const stated = meta ? tidyTitle(textOf(descendant(meta, "dc:title"))) : null;
  const blocks = body ? bodyBlocks(body, styles) : [];
  appendBlocks(blocks, noteBlocks(styles));
  const heading = blocks.find((block) => block.kind === "heading" && block.level === 1);
  const first = body?.name !== "office:spreadsheet" && heading?.kind === "heading" ? heading.text : null;
  const properties = coreProperties(meta && descendant(meta, "office:meta"));
  return { title: stated ?? first, blocks, warnings: [], ...properties };
};

const bodyBlocks = (body: MarkupElement, styles: TextStyles): Block[] => {
  if (body.name === "office:spreadsheet") {
    return childrenNamed(body, "table:table").flatMap((table, index) =>
      sheetBlocks(index + 1, table.attributes["table:name"] ?? `Sheet ${index + 1}`, sheetRows(table, styles)),
    );
  }
  if (body.name === "office:presentation") {
    return childrenNamed(body, "draw:page").flatMap((page, index): Block[] => [
      { kind: "page", page: index + 1 },
      ...slideBlocks(page, styles),
    ]);
  }
  return containerBlocks(body, styles);
};

/** Elements that are not the document's own text. */
const ignored =
  /^(text:tracked-changes|text:table-of-content|text:illustration-index|text:alphabetical-index|office:annotation|office:forms|text:sequence-decls|presentation:notes)$/;

const containerBlocks = (container: MarkupElement, styles: TextStyles): Block[] => {
  return childElements(container).flatMap((child): Block[] => {
    if (ignored.test(child.name)) return [];
    if (child.name === "text:h" || child.name === "text:p")
      return [...paragraph(child, styles), ...boxes(child, styles)];
    if (child.name === "text:list") return listBlocks(child, styles, 0, null);
    if (child.name === "table:table") return [{ kind: "table", rows: gridRows(tableCells(child, styles)) }];
    return containerBlocks(child, styles);
  });
};

const paragraph = (element: MarkupElement, styles: TextStyles): Block[] => {
  const text = inlineText(element, styles).trim();
  if (text === "") return [];
  if (element.name === "text:p") {
    if (styles.isOf(element, /^Title$/i)) return [{ kind: "heading", level: 1, text: oneLine(text) }];
    return [{ kind: styles.isOf(element, /^(Quotations|Block_20_Text)$/i) ? "quote" : "paragraph", text }];
  }
  return [
    { kind: "heading", level: Number(element.attributes["text:outline-level"] ?? "1") || 1, text: oneLine(text) },
  ];
};

const boxes = (element: MarkupElement, styles: TextStyles): Block[] =>
  descendants(element, "draw:text-box").flatMap((box) => containerBlocks(box, styles));

const listBlocks = (list: MarkupElement, styles: TextStyles, depth: number, inherited: string | null): Block[] => {
  const style = list.attributes["text:style-name"] ?? inherited;
  const isNumbered = styles.isNumbered(style, depth);
  let number = 0;
  return childElements(list).flatMap((item): Block[] => {
    if (item.name !== "text:list-item" && item.name !== "text:list-header") return [];
    number = Number.parseInt(item.attributes["text:start-value"] ?? "", 10) || number + 1;
    const marker = isNumbered ? `${number}.` : "-";
    let isFirst = true;
    return childElements(item).flatMap((child): Block[] => {
      if (child.name === "text:list") return depth < maxDepth ? listBlocks(child, styles, depth + 1, style) : [];
      if (child.name === "text:h") return paragraph(child, styles);
      const text = child.name === "text:p" ? inlineText(child, styles).trim() : "";
      if (text === "") return [];
      const block: Block = isFirst ? { kind: "item", depth, marker, text } : { kind: "paragraph", text };
      isFirst = false;
      return [block];
    });
  });
};

/** A slide: its title first, then its frames in their order, then the notes. */
const slideBlocks = (page: MarkupElement, styles: TextStyles): Block[] => {
  const frames = descendants(page, "draw:frame", "draw:custom-shape", "presentation:notes").filter(
    (frame) => frame.name !== "presentation:notes",
  );
  const kind = (frame: MarkupElement) => frame.attributes["presentation:class"] ?? "";
  const shown = frames.filter((frame) => !/^(header|footer|date-time|page-number)$/.test(kind(frame)));
  const titles = shown.filter((frame) => kind(frame) === "title");
  const notes = childNamed(page, "presentation:notes");
  const noteText = notes
    ? oneLine(
        descendants(notes, "draw:text-box")
          .flatMap((box) => descendants(box, "text:p"))
          .map((paragraph) => inlineText(paragraph, styles))
          .join(" "),
      )
    : "";
  return [
    ...titles.flatMap((frame): Block[] => {
      const text = oneLine(
        descendants(frame, "text:p")
          .map((paragraph) => inlineText(paragraph, styles))
          .join(" "),
      );
      return text === "" ? [] : [{ kind: "heading", level: 1, text }];
    }),
    ...shown.filter((frame) => !titles.includes(frame)).flatMap((frame) => containerBlocks(frame, styles)),
    ...(noteText === "" ? [] : [{ kind: "paragraph", text: `Notes: ${noteText}` } as Block]),
  ];
};
