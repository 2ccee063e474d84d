import type { Block, Content } from "../../blocks/blocks.ts";
import { unreadable } from "../../blocks/blocks.ts";
import { type DataEntry, type DataValue, dataBlocks } from "../../blocks/data-blocks.ts";
import { oneLine, tidyTitle } from "../../blocks/tidy-text.ts";
import { childElements, childNamed, isElement, type MarkupElement, readMarkup, textOf } from "../../markup/markup.ts";
import type { ParseContext } from "../context.ts";
import { readXmlDocument } from "./xml-documents.ts";

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
