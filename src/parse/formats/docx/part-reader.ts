import type { Block } from "../../blocks/blocks.ts";
import { createRepeatBudget, type GridCell, gridRows } from "../../blocks/grid.ts";
import { loweredText, markdownLink, oneLine, raisedText } from "../../blocks/tidy-text.ts";
import { chartTable, diagramItems } from "../../containers/office-package.ts";
import { formulaText } from "../../markup/formula.ts";
import {
  childElements,
  childNamed,
  childrenNamed,
  descendant,
  descendants,
  type MarkupElement,
  textOf,
} from "../../markup/markup.ts";
import { type NextMarker, type StyleOf, value } from "./styles.ts";

/** Reads one part of a document, such as its body, a header or its footnotes. */
export type PartReader = CellReader;

/** What holds for the whole document, and where the links of this part lead. */
interface PartContext extends RunReferences {
  /** The part that a relation of this part leads to, or null. */
  related(id: string): MarkupElement | null;
  /** The text of a file that is put in at a relation (`altChunk`). */
  insertedText(id: string): string;
  styleOf: StyleOf;
  nextMarker: NextMarker;
}

/** Elements that only wrap paragraphs and tables: content controls, tracked insertions, alternatives. */
const wrapper = /^(w:sdt|w:sdtContent|w:customXml|w:ins|w:moveTo|mc:AlternateContent|mc:Choice)$/;

export const createPartReader = ({
  styleOf,
  nextMarker,
  related,
  insertedText,
  ...references
}: PartContext): PartReader => {
  const text: RunText = (element) => runText(element, references);

  const paragraph = (element: MarkupElement): Block[] => {
    const style = styleOf(childNamed(element, "w:pPr"));
    const content = text(element).trim();
    if (content === "" || style.isContents) return [];
    const marker = style.list ? nextMarker(style.list.numId, style.list.level) : null;
    if (style.level !== null) {
      const number = marker === null || marker === "-" ? "" : `${marker} `;
      return [{ kind: "heading", level: style.level, text: number + oneLine(content) }];
    }
    if (marker === null) return [{ kind: style.isQuote ? "quote" : "paragraph", text: content }];
    return [{ kind: "item", depth: style.list?.depth ?? 0, marker, text: content }];
  };

  const textBoxes = (element: MarkupElement): Block[] =>
    descendants(element, "mc:AlternateContent", "w:txbxContent").flatMap((found) => {
      const box = found.name === "w:txbxContent" ? found : descendant(childNamed(found, "mc:Choice"), "w:txbxContent");
      return box ? reader.blocks(box) : [];
    });

  /** The charts and diagrams (SmartArt) of a paragraph. */
  const graphics = (element: MarkupElement): Block[] =>
    descendants(element, "c:chart", "dgm:relIds").flatMap(({ name, attributes }): Block[] => {
      const part = related(attributes[name === "c:chart" ? "r:id" : "r:dm"] ?? "");
      if (part === null) return [];
      return name === "c:chart" ? chartTable(part) : diagramItems(part);
    });

  const reader: PartReader = {
    text,
    line(element) {
      const { list } = styleOf(childNamed(element, "w:pPr"));
      const said = text(element);
      const marker = list && said.trim() !== "" ? nextMarker(list.numId, list.level) : "-";
      return marker === "-" ? said : `${marker} ${said}`;
    },
    blocks: (container) =>
      withDropCaps(childElements(container)).flatMap((child): Block[] => {
        if (child.name === "w:p") return [...paragraph(child), ...textBoxes(child), ...graphics(child)];
        if (child.name === "w:altChunk")
          return [{ kind: "verbatim", text: insertedText(child.attributes["r:id"] ?? "") }];
        if (child.name === "w:tbl") return readTable(child, reader);
        return wrapper.test(child.name) && !isContents(child) ? reader.blocks(child) : [];
      }),
  };
  return reader;
};

/** A large first letter is a paragraph of its own in a frame: it goes to the paragraph that it begins. */
const withDropCaps = (elements: readonly MarkupElement[]): MarkupElement[] => {
  const joined: MarkupElement[] = [];
  let initial: MarkupElement | null = null;
  for (const element of elements) {
    const frame = childNamed(childNamed(element, "w:pPr"), "w:framePr");
    if (initial !== null && element.name === "w:p") {
      joined.push({ ...element, children: [...initial.children, ...element.children] });
      initial = null;
    } else if (frame?.attributes["w:dropCap"]) initial = element;
    else joined.push(element);
  }
  return initial === null ? joined : [...joined, initial];
};

/** A table of contents repeats the headings. */
const isContents = (element: MarkupElement): boolean => {
  if (element.name !== "w:sdt") return false;
  const gallery = descendant(childNamed(element, "w:sdtPr"), "w:docPartGallery");
  return gallery?.attributes["w:val"] === "Table of Contents";
};

/** How the document part that contains a table reads what the table's cells hold. */
interface CellReader {
  blocks(container: MarkupElement): Block[];
  text: RunText;
  /** The text of a paragraph with its number in a list, which counts on. */
  line: RunText;
}

/** A longer cell holds text laid out in a table, not data. */
const maxCellCharacters = 600;

/** A table; of one that only frames text, the text. */
const readTable = (table: MarkupElement, reader: CellReader): Block[] => {
  const rows = rowsOf(table).map((row) => cellsOf(row));
  const cells = rows.flat();
  const isFrame =
    rows.every((row) => row.length <= 1) ||
    cells.some((cell) => cellText(cell, reader.text).length > maxCellCharacters);
  if (isFrame) return cells.flatMap((cell) => reader.blocks(cell));
  return [{ kind: "table", rows: gridRows(withMergedRows(rows, reader)) }];
};

const rowsOf = (table: MarkupElement): MarkupElement[] => flattened(table, "w:tr");
const cellsOf = (row: MarkupElement): MarkupElement[] => flattened(row, "w:tc");

/** Children of that name, also where content controls or tracked insertions wrap them. */
const flattened = (parent: MarkupElement, name: string): MarkupElement[] => {
  return childElements(parent).flatMap((child) => {
    if (child.name === name) return [child];
    return /^w:(sdt|sdtContent|customXml|ins)$/.test(child.name) ? flattened(child, name) : [];
  });
};

/** All text of a cell, that of tables inside it included; the hidden text of merged cells is left out. */
const cellText = (cell: MarkupElement, read: RunText): string => {
  const text = (element: MarkupElement): string =>
    childElements(element)
      .map((child) => {
        if (child.name === "w:p") return read(child);
        return child.name === "w:tc" && continuesMerge(child) ? "" : text(child);
      })
      .join(" ");
  return oneLine(text(cell));
};

const continuesMerge = (cell: MarkupElement): boolean => {
  const merge = childNamed(childNamed(cell, "w:tcPr"), "w:vMerge");
  return merge !== null && merge.attributes["w:val"] !== "restart";
};

/** Text merged over rows is put into each of them. */
const withMergedRows = (rows: readonly MarkupElement[][], reader: CellReader): GridCell[][] => {
  const above = new Map<number, string>();
  const take = createRepeatBudget();
  return rows.map((row) => {
    let column = 0;
    return row.map((cell): GridCell => {
      const properties = childNamed(cell, "w:tcPr");
      const columns = Number(value(properties, "w:gridSpan") ?? "1") || 1;
      const merged = continuesMerge(cell) ? (above.get(column) ?? "") : null;
      if (merged !== null) take(merged, 1);
      const text = merged ?? cellText(cell, reader.line);
      above.set(column, text);
      column += columns;
      return { text, columns, rows: 1 };
    });
  });
};

/** Inline text of a paragraph or of a part of one. */
type RunText = (element: MarkupElement) => string;

/** Not read: deleted text, field codes, properties, and boxes and pictures, which are read separately. */
const ignored = new Set(
  (
    "w:del w:moveFrom w:instrText w:delText w:pPr w:rPr w:pict w:object mc:AlternateContent w:annotationRef " +
    "w:footnoteRef w:endnoteRef w:commentReference w:rt"
  ).split(" "),
);

/** What the text of a run refers to. */
interface RunReferences {
  /** Address of a relation's id, or null. */
  linkTarget(id: string): string | null;
  /** The number that a footnote or endnote is shown with: they are counted in the order they are referred to. */
  noteNumber(kind: "footnote" | "endnote", id: string): number;
}

const runText = (element: MarkupElement, references: RunReferences): string => {
  let text = "";
  for (const child of childElements(element)) text += partText(child, references, text);
  return text;
};

const partText = (element: MarkupElement, references: RunReferences, before: string): string => {
  switch (element.name) {
    case "w:t":
    case "m:t":
      return textOf(element);
    case "w:tab":
    case "w:ptab":
      return " ";
    case "w:br":
    case "w:cr":
      return element.attributes["w:type"] === undefined || element.attributes["w:type"] === "textWrapping" ? "\n" : "";
    case "w:noBreakHyphen":
      return "-";
    case "w:sym":
      return symbol(element);
    case "w:footnoteReference":
      return `[^${references.noteNumber("footnote", element.attributes["w:id"] ?? "")}]`;
    case "w:endnoteReference":
      return `[^${references.noteNumber("endnote", element.attributes["w:id"] ?? "")}]`;
    case "w:r":
      return isHidden(element) ? "" : atHeight(element, runText(element, references), before);
    case "w:drawing":
      return pictureText(element);
    case "m:oMath":
      return formulaText(element);
    case "w:fldSimple":
      return isPageField(element.attributes["w:instr"]) ? "" : runText(element, references);
    case "w:hyperlink": {
      const inner = runText(element, references);
      const target = references.linkTarget(element.attributes["r:id"] ?? "");
      return target ? markdownLink(inner, target) : inner;
    }
    case "w:ruby":
      return childrenNamed(element, "w:rubyBase")
        .map((base) => runText(base, references))
        .join("");
    default:
      return ignored.has(element.name) ? "" : runText(element, references);
  }
};

/** Raised and lowered text as such; marks of notes stay. */
const atHeight = (run: MarkupElement, text: string, before: string): string => {
  const height = childNamed(childNamed(run, "w:rPr"), "w:vertAlign")?.attributes["w:val"];
  if (text.includes("[^") || height === undefined) return text;
  return height === "superscript" ? raisedText(text, before) : height === "subscript" ? loweredText(text) : text;
};

/** What is said of a picture for those who do not see it. */
const pictureText = (drawing: MarkupElement): string => {
  const said = oneLine(descendant(drawing, "wp:docPr")?.attributes.descr ?? "");
  return said === "" ? "" : `[Picture: ${said}]`;
};

const isPageField = (instruction: string | undefined): boolean =>
  /^\s*(PAGE|NUMPAGES|SECTIONPAGES)\b/i.test(instruction ?? "");

const isHidden = (run: MarkupElement): boolean => {
  const vanish = childNamed(childNamed(run, "w:rPr"), "w:vanish");
  return vanish !== null && !/^(0|false|off)$/.test(vanish.attributes["w:val"] ?? "1");
};

/** A character of a symbol font; characters of the private use area have no meaning in other fonts. */
const symbol = (element: MarkupElement): string => {
  const code = Number.parseInt(element.attributes["w:char"] ?? "", 16);
  if (!Number.isFinite(code)) return "";
  const known: Record<number, string> = { 61623: "•", 61607: "▪", 61692: "✓", 61694: "☑", 61608: "☐", 61664: "→" };
  return known[code] ?? (code >= 0xe000 && code <= 0xf8ff ? "" : String.fromCodePoint(Math.min(code, 0xffff)));
};
