import { appendBlocks, type Block, type Content, unreadable } from "../../blocks/blocks.ts";
import { sheetBlocks } from "../../blocks/sheet-blocks.ts";
import { oneLine, tidyTitle } from "../../blocks/tidy-text.ts";
import {
  childElements,
  childNamed,
  childrenNamed,
  descendants,
  isElement,
  type MarkupElement,
  readMarkup,
  textOf,
} from "../../markup/markup.ts";
import { type ParseContext, readInnerFiles } from "../context.ts";
import { type DataEntry, type DataValue, dataBlocks } from "../data.ts";
import { readHtmlFragment } from "../html/html.ts";
import { readFlatDocument } from "../open-document/open-document.ts";

/**
 * XML as tables and lists where it holds data, as paragraphs where it holds text. Entities that the file declares for
 * itself are expanded within limits; entities of other files never are.
 */
export const readXml = async (text: string, context: ParseContext): Promise<Content> => {
  const top = topOf(text);
  return (await readXmlDocument(top, context)) ?? readXmlData(top);
};

export const topOf = (text: string): MarkupElement => {
  const root = readMarkup(withEntities(text), "xml");
  return childElements(root).find((child) => !/^[!?]/.test(child.name)) ?? root;
};

export const readXmlData = (top: MarkupElement): Content => {
  const title = childNamed(top, "title") ?? childNamed(childNamed(top, "channel"), "title");
  const blocks = isProse(top) ? proseBlocks(top, 1) : dataBlocks(elementValue(top));
  return { title: tidyTitle(textOf(title)), blocks, warnings: [] };
};

const maxDoctypeCharacters = 200_000;

/** The first document type declaration: its place in the text, and what it declares in brackets. */
const documentType = (text: string): { start: number; end: number; declarations: string } | null => {
  const head = text.slice(0, maxDoctypeCharacters);
  const start = head.search(/<!DOCTYPE\s/);
  if (start < 0) return null;
  const close = head.indexOf(">", start);
  const open = head.indexOf("[", start);
  if (open < 0 || (close >= 0 && close < open)) return close < 0 ? null : { start, end: close + 1, declarations: "" };
  for (let bracket = head.indexOf("]", open); bracket >= 0; bracket = head.indexOf("]", bracket + 1)) {
    let end = bracket + 1;
    while (/\s/.test(head[end] ?? "")) end++;
    if (head[end] === ">") return { start, end: end + 1, declarations: head.slice(open + 1, bracket) };
  }
  return null;
};

const maxEntityDepth = 8;
const maxExpandedCharacters = 1_000_000;

/** Expands internal general entities (XML 1.0, 4.4), up to a limit. */
const withEntities = (text: string): string => {
  const doctype = documentType(text);
  if (doctype === null) return text;
  const body = text.slice(0, doctype.start) + text.slice(doctype.end);
  const entities = new Map<string, string>();
  for (const match of doctype.declarations.matchAll(/<!ENTITY\s+([\w.:-]+)\s+("[^"]*"|'[^']*')\s*>/g)) {
    if (match[1] && !entities.has(match[1])) entities.set(match[1], match[2]?.slice(1, -1) ?? "");
  }
  if (entities.size === 0) return body;
  const budget = { left: maxExpandedCharacters };
  const expand = (part: string, depth: number): string =>
    part.replace(/&([\w.:-]+);/g, (whole, name: string) => {
      const value = entities.get(name);
      if (value === undefined) return whole;
      budget.left -= value.length + 1;
      if (depth >= maxEntityDepth || budget.left < 0) {
        throw unreadable("The XML's entities multiply to too much text.");
      }
      return expand(value, depth + 1);
    });
  return expand(body, 0);
};

const hasText = (element: MarkupElement): boolean =>
  element.children.some((child) => !isElement(child) && /\S/.test(child));

/** Text with elements inside it is prose; a file with any of that is read as prose. */
const isProse = (element: MarkupElement): boolean => {
  const inner = childElements(element);
  return (inner.length > 0 && hasText(element)) || inner.some(isProse);
};

const proseBlocks = (element: MarkupElement, level: number): Block[] => {
  if (hasText(element) || childElements(element).length === 0) {
    const text = oneLine(textOf(element));
    if (text === "") return [];
    return /^(?:\w+:)?(title|head|heading|h[1-6])$/i.test(element.name)
      ? [{ kind: "heading", level, text }]
      : [{ kind: "paragraph", text }];
  }
  return childElements(element).flatMap((child) => proseBlocks(child, Math.min(level + (hasTitle(child) ? 1 : 0), 6)));
};

const hasTitle = (element: MarkupElement): boolean =>
  childElements(element).some((child) => /^(?:\w+:)?(title|head|heading)$/i.test(child.name));

/** Attributes and children by name; names that come again make a list. */
const elementValue = (element: MarkupElement): DataValue => {
  const attributes = Object.entries(element.attributes).filter(([name]) => !/^(xmlns|xsi|xml)(:|$)/.test(name));
  const inner = childElements(element);
  const text = oneLine(inner.length === 0 ? textOf(element) : "");
  if (inner.length === 0 && attributes.length === 0) return text;
  const groups = new Map<string, DataValue[]>(attributes.map(([name, value]) => [name, [value]]));
  for (const child of inner) {
    const group = groups.get(child.name);
    if (group) group.push(elementValue(child));
    else groups.set(child.name, [elementValue(child)]);
  }
  const entries = [...groups].map(
    ([key, values]): DataEntry => ({ key, value: values.length === 1 ? (values[0] ?? "") : values }),
  );
  return { entries: text === "" ? entries : [...entries, { key: "text", value: text }] };
};

/** Kinds of document that are XML: feeds, notes of Evernote, workbooks of Excel 2003, flat OpenDocument; null for others. */
const readXmlDocument = async (top: MarkupElement, context: ParseContext): Promise<Content | null> => {
  switch (top.name) {
    case "rss":
    case "rdf:RDF":
      return top.name === "rss" || childNamed(top, "channel") ? readFeed(top, "item") : null;
    case "feed":
      return readFeed(top, "entry");
    case "en-export":
      return await readNotes(top, context);
    case "Workbook":
    case "ss:Workbook":
      return readWorkbook(top);
    case "office:document":
      return readFlatDocument(top);
    default:
      return null;
  }
};

const textIn = (element: MarkupElement | null, ...names: string[]): string => {
  for (const name of names) {
    const text = textOf(childNamed(element, name)).trim();
    if (text !== "") return text;
  }
  return "";
};

/** A title, which may be HTML that stands as text. */
const titleIn = (element: MarkupElement): string => {
  const title = childNamed(element, "title");
  const text = textOf(title);
  return oneLine(/^x?html$/.test(title?.attributes.type ?? "") ? textOf(readMarkup(text, "html")) : text);
};

/** HTML that stands as text in XML. */
const htmlIn = (text: string, baseUrl: string | null): Block[] =>
  /<[a-z!/]/i.test(text) ? readHtmlFragment(text, baseUrl) : [{ kind: "paragraph", text: oneLine(text) }];

/** RSS and Atom: each entry under its title, with its date and address. */
const readFeed = (top: MarkupElement, name: string): Content => {
  const channel = childNamed(top, "channel") ?? top;
  const title = titleIn(channel);
  const blocks: Block[] = title === "" ? [] : [{ kind: "heading", level: 1, text: title }];
  const about = textIn(channel, "description", "subtitle");
  if (about !== "") blocks.push(...htmlIn(about, null));
  const items = [...childrenNamed(channel, name), ...(channel === top ? [] : childrenNamed(top, name))];
  for (const item of items) {
    const link = childrenNamed(item, "link").find(({ attributes }) => attributes.href && attributes.rel !== "self");
    const address = link?.attributes.href ?? textIn(item, "link");
    const facts = [
      textIn(item, "pubDate", "published", "updated", "dc:date"),
      textIn(item, "author", "dc:creator"),
      address,
    ];
    const heading = titleIn(item);
    blocks.push({ kind: "heading", level: 2, text: heading === "" ? "Without a title" : heading });
    const stated = facts.filter((fact) => fact !== "").map(oneLine);
    if (stated.length > 0) blocks.push({ kind: "paragraph", text: stated.join("\n") });
    const body = textIn(item, "content:encoded", "content", "description", "summary");
    if (body !== "") blocks.push(...htmlIn(body, address === "" ? null : address));
  }
  return { title: tidyTitle(title), blocks, warnings: [] };
};

/** Evernote's export: each note under its title, with its pictures and files. */
const readNotes = async (top: MarkupElement, context: ParseContext): Promise<Content> => {
  const blocks: Block[] = [];
  const warnings: string[] = [];
  for (const note of childrenNamed(top, "note")) {
    const title = oneLine(textIn(note, "title"));
    if (title !== "") blocks.push({ kind: "heading", level: 1, text: title });
    const tags = childrenNamed(note, "tag").map((tag) => oneLine(textOf(tag)));
    if (tags.length > 0) blocks.push({ kind: "paragraph", text: `Tags: ${tags.join(", ")}` });
    const content = textIn(note, "content").replace(/<en-todo\b([^<>]*)>/gi, (_, attributes: string) =>
      /checked="true"/i.test(attributes) ? "[x] " : "[ ] ",
    );
    blocks.push(...htmlIn(content, null), ...childrenNamed(note, "task").flatMap(taskBlock));
    const files = childrenNamed(note, "resource").map((resource) => ({
      bytes: new Uint8Array(Buffer.from(textIn(resource, "data"), "base64")),
      name: textIn(childNamed(resource, "resource-attributes"), "file-name") || null,
      mimeType: textIn(resource, "mime") || null,
    }));
    const read = await readInnerFiles(files, context, { level: 2, label: "Attachment: " });
    appendBlocks(blocks, read.blocks);
    warnings.push(...read.warnings);
  }
  const first = blocks[0];
  return { title: first?.kind === "heading" ? tidyTitle(first.text) : null, blocks, warnings };
};

/** A task of a note, whose text holds only a placeholder for it. */
const taskBlock = (task: MarkupElement): Block[] => {
  const title = oneLine(textIn(task, "title"));
  const due = /^(\d{4})(\d{2})(\d{2})/.exec(textIn(task, "dueDate"));
  const box = textIn(task, "taskStatus") === "completed" ? "[x]" : "[ ]";
  const text = `${box} ${title}${due === null ? "" : ` (due ${due.slice(1).join("-")})`}`;
  return title === "" ? [] : [{ kind: "item", depth: 0, marker: "-", text }];
};

const maxRepeat = 1_000;

/** A workbook of Excel 2003 (SpreadsheetML): each sheet a page under its name. */
const readWorkbook = (top: MarkupElement): Content => {
  const bare = (name: string) => name.slice(name.indexOf(":") + 1);
  const inside = (element: MarkupElement, name: string) =>
    childElements(element).filter((child) => bare(child.name) === name);
  const stated = (element: MarkupElement, name: string) => element.attributes[`ss:${name}`] ?? element.attributes[name];
  const blocks = inside(top, "Worksheet").flatMap((sheet, index): Block[] => {
    let number = -1;
    const rows = inside(sheet, "Table")
      .flatMap((table) => inside(table, "Row"))
      .map((row) => {
        number = Number(stated(row, "Index") ?? number + 2) - 1;
        let column = -1;
        const cells = new Map<number, string>();
        for (const cell of inside(row, "Cell")) {
          column = Number(stated(cell, "Index") ?? column + 2) - 1;
          const text = descendants(cell, "Data", "ss:Data").map(textOf).join(" ");
          const isDate = inside(cell, "Data").some((data) => stated(data, "Type") === "DateTime");
          if (text !== "") cells.set(column, isDate ? text.replace(/T00:00:00\.000$/, "").replace("T", " ") : text);
          column += Math.min(Number(stated(cell, "MergeAcross") ?? 0) || 0, maxRepeat);
        }
        return { row: number, cells };
      });
    return sheetBlocks(index + 1, stated(sheet, "Name") ?? `Sheet ${index + 1}`, rows);
  });
  return { title: null, blocks, warnings: [] };
};
