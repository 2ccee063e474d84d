import { type Block, commentBlock } from "../../blocks/blocks.ts";
import { listNumber } from "../../blocks/list-numbers.ts";
import { loweredText, markdownLink, oneLine, raisedText } from "../../blocks/tidy-text.ts";
import { formulaText } from "../../markup/formula.ts";
import {
  childElements,
  childNamed,
  descendant,
  descendants,
  isElement,
  type MarkupElement,
  type MarkupNode,
  textOf,
} from "../../markup/markup.ts";

const maxNotes = 100_000;

/** What the styles of a document say, and the notes found in its text. */
export interface TextStyles {
  /** How the items of a list in this style are marked at a depth, from 0. */
  listMarker(listStyle: string | null, depth: number, number: number): string;
  /** The number of the first item of such a list. */
  firstNumber(listStyle: string | null, depth: number): number;
  /** The last numbers of lists, by style and depth: some lists go on from them. */
  lastNumbers: Map<string, number>;
  /** Whether a paragraph's style is of this name, or made from one that is. */
  isOf(paragraph: MarkupElement, name: RegExp): boolean;
  /** Whether a table of a spreadsheet is not shown. */
  isHidden(table: MarkupElement): boolean;
  /** Whether what follows the begin of a change was deleted. */
  isDeletion(change: MarkupElement): boolean;
  /** How far text in a style is raised, or lowered where it is less than zero. */
  raisedBy(textStyle: string): number;
  /** Notes in the order they are found; the first is number 1. */
  notes: MarkupElement[];
  /** Comments in the order they are found. */
  comments: MarkupElement[];
  /** The content of an object such as a formula or a chart; null where it is not there. */
  objectIn(element: MarkupElement): MarkupElement | null;
}

const maxParents = 20;

/** OpenDocument's signs for how lists count, where they do not count in figures. */
const numberFormats: Readonly<Record<string, string>> = {
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
};

/** Styles of the parts that hold some: automatic ones, and those with names. */
export const textStyles = (
  roots: readonly MarkupElement[],
  part: (name: string) => MarkupElement | null = () => null,
): TextStyles => {
  const levels = new Map<string, MarkupElement[]>();
  const parents = new Map<string, string>();
  const raised = new Map<string, number>();
  const hidden = new Set<string>();
  const deletions = new Set<string>();
  for (const root of roots) {
    for (const style of descendants(root, "text:list-style"))
      levels.set(style.attributes["style:name"] ?? "", childElements(style));
    for (const style of descendants(root, "style:style")) {
      const { attributes } = style;
      if (childNamed(style, "style:table-properties")?.attributes["table:display"] === "false")
        hidden.add(attributes["style:name"] ?? "");
      const position = childNamed(style, "style:text-properties")?.attributes["style:text-position"] ?? "";
      const by = /^super/.test(position) ? 1 : /^sub/.test(position) ? -1 : Number.parseFloat(position) || 0;
      if (by !== 0) raised.set(attributes["style:name"] ?? "", by);
      if (attributes["style:family"] !== "paragraph") continue;
      parents.set(attributes["style:name"] ?? "", attributes["style:parent-style-name"] ?? "");
    }
  }
  for (const root of roots)
    for (const region of descendants(root, "text:changed-region"))
      if (childNamed(region, "text:deletion")) deletions.add(region.attributes["text:id"] ?? "");
  const levelOf = (listStyle: string | null, depth: number): MarkupElement | undefined => {
    const kinds = levels.get(listStyle ?? "") ?? [];
    return kinds[depth] ?? kinds[0];
  };
  return {
    isHidden: ({ attributes }) => hidden.has(attributes["table:style-name"] ?? ""),
    isDeletion: ({ attributes }) => deletions.has(attributes["text:change-id"] ?? ""),
    notes: [],
    comments: [],
    objectIn(element) {
      const name = (element.attributes["xlink:href"] ?? "").replace(/^\.\/|\/$/g, "");
      return name === "" ? (childElements(element)[0] ?? null) : part(`${name}/content.xml`);
    },
    raisedBy: (textStyle) => raised.get(textStyle) ?? 0,
    lastNumbers: new Map(),
    firstNumber: (listStyle, depth) =>
      Number.parseInt(levelOf(listStyle, depth)?.attributes["text:start-value"] ?? "", 10) || 1,
    listMarker(listStyle, depth, number) {
      const level = levelOf(listStyle, depth);
      if (level?.name !== "text:list-level-style-number") return "-";
      const format = numberFormats[level.attributes["style:num-format"] ?? ""] ?? "decimal";
      const before = level.attributes["style:num-prefix"] ?? "";
      return `${before}${listNumber(number, format)}${level.attributes["style:num-suffix"] ?? "."}`.trim();
    },
    isOf(paragraph, name) {
      let style = paragraph.attributes["text:style-name"];
      for (let step = 0; style && step < maxParents; step++) {
        if (name.test(style)) return true;
        style = parents.get(style);
      }
      return false;
    },
  };
};

/** Footnotes and endnotes, marked as in the text. */
export const noteBlocks = (styles: TextStyles): Block[] => {
  const blocks: Block[] = [];
  // A note may hold another.
  for (let at = 0; at < styles.notes.length && at < maxNotes; at++) {
    const paragraphs = descendants(styles.notes[at] as MarkupElement, "text:p");
    const text = oneLine(paragraphs.map((paragraph) => inlineText(paragraph, styles)).join(" "));
    if (text !== "") blocks.push({ kind: "paragraph", text: `[^${at + 1}]: ${text}` });
  }
  return blocks;
};

/** Comments with their authors; those of a sheet with their cells. */
export const commentBlocks = (styles: TextStyles, comments: readonly MarkupElement[], on = ""): Block[] =>
  comments.flatMap((comment): Block[] => {
    const author = oneLine(textOf(childNamed(comment, "dc:creator")));
    const text = oneLine(
      descendants(comment, "text:p")
        .map((paragraph) => inlineText(paragraph, styles))
        .join(" "),
    );
    return commentBlock(author, text, on);
  });

/** What an object says: a formula in a line. */
const objectText = (element: MarkupElement, styles: TextStyles): string => {
  const object = styles.objectIn(element);
  const formula = object === null ? null : object.name === "math" ? object : descendant(object, "math");
  return formula === null ? "" : formulaText(formula);
};

/** Text of a paragraph or of a part of one; a note in it is added to `styles.notes`. */
export const inlineText = (node: MarkupNode, styles: TextStyles, before = ""): string => {
  if (!isElement(node)) return node.replace(/\s+/g, " ");
  switch (node.name) {
    case "text:s":
      return " ".repeat(Math.min(Number(node.attributes["text:c"] ?? "1") || 1, 100));
    case "text:tab":
      return " ";
    case "text:line-break":
      return "\n";
    case "text:note":
      return `[^${styles.notes.push(node)}]`;
    case "office:annotation":
      styles.comments.push(node);
      return "";
    case "draw:object":
      return objectText(node, styles);
    case "draw:frame": {
      const described = oneLine(textOf(childNamed(node, "svg:desc") ?? childNamed(node, "svg:title")));
      const inside = node.children.map((child) => inlineText(child, styles)).join("");
      return inside.trim() !== "" || described === "" ? inside : `[Picture: ${described}]`;
    }
    case "office:annotation-end":
    case "draw:text-box":
    case "svg:title":
    case "svg:desc":
    case "text:page-number":
    case "text:page-count":
      return "";
    default: {
      let text = "";
      let isDeleted = false;
      for (const child of node.children) {
        // Flat documents hold deleted text where it stood.
        if (isElement(child) && /^text:change-(start|end)$/.test(child.name))
          isDeleted = child.name === "text:change-start" && styles.isDeletion(child);
        else if (!isDeleted) text += inlineText(child, styles, text);
      }
      const by = node.name === "text:span" ? styles.raisedBy(node.attributes["text:style-name"] ?? "") : 0;
      if (by !== 0 && !text.includes("[^")) return by > 0 ? raisedText(text, before) : loweredText(text);
      return node.name === "text:a" ? markdownLink(text, node.attributes["xlink:href"] ?? "") : text;
    }
  }
};
