import { appendBlocks, type Block, type Content, commentBlock } from "../../blocks/blocks.ts";
import { type GridCell, gridRows } from "../../blocks/grid.ts";
import { loweredText, markdownLink, oneLine, raisedText } from "../../blocks/tidy-text.ts";
import {
  chartTable,
  diagramItems,
  type OfficePackage,
  openOfficePackage,
  type Relation,
} from "../../containers/office-package.ts";
import {
  childElements,
  childNamed,
  childrenNamed,
  descendant,
  descendants,
  type MarkupElement,
  textOf,
} from "../../markup/markup.ts";
import type { ParseContext } from "../context.ts";

/** A presentation: each slide a page, its title a heading, lists, tables, charts and what the speaker notes say. */
export const readPptx = (bytes: Uint8Array, context: ParseContext): Content => {
  const file = openOfficePackage(bytes, context.budget);
  const root = file.part(file.mainPath);
  const relations = file.relations(file.mainPath);
  const list = root ? descendant(root, "p:sldIdLst") : null;
  const authors = commentAuthors(file, relations);
  const blocks: Block[] = [];
  const warnings: string[] = [];
  childrenNamed(list, "p:sldId").forEach((entry, index) => {
    const relation = relations.get(entry.attributes["r:id"] ?? "");
    const slide = relation ? file.part(relation.target) : null;
    blocks.push({ kind: "page", page: index + 1 });
    if (!slide || !relation) warnings.push(`Slide ${index + 1} is missing in the file.`);
    else appendBlocks(blocks, readSlide(file, relation.target, slide, authors));
  });
  const heading = blocks.find((block) => block.kind === "heading");
  return {
    title: file.title ?? (heading?.kind === "heading" ? heading.text : null),
    blocks,
    warnings,
    ...file.stated,
  };
};

interface Shape {
  blocks: Block[];
  isTitle: boolean;
  x: number;
  y: number;
}

const readSlide = (file: OfficePackage, path: string, slide: MarkupElement, authors: Authors): Block[] => {
  const relations = file.relations(path);
  const tree = descendant(slide, "p:spTree");
  const shapes = tree ? readShapes(file, tree, relations) : [];
  // In the order in which a slide is read: the title, then from top to bottom; shapes side by side from left to right.
  const tolerance = 200_000;
  const ordered = shapes
    .map((shape, index) => ({ shape, index, band: Math.round(shape.y / tolerance) }))
    .sort(
      (a, b) =>
        Number(b.shape.isTitle) - Number(a.shape.isTitle) ||
        a.band - b.band ||
        a.shape.x - b.shape.x ||
        a.index - b.index,
    );
  const comments = [...relations.values()].filter(({ type }) => type === "comments");
  return [
    ...ordered.flatMap(({ shape }) => shape.blocks),
    ...readNotes(file, relations),
    ...comments.flatMap(({ target }) => readComments(file.part(target), authors)),
  ];
};

const readShapes = (file: OfficePackage, tree: MarkupElement, relations: Map<string, Relation>): Shape[] => {
  return childElements(tree).flatMap((element): Shape[] => {
    if (element.name === "p:grpSp" || element.name === "mc:AlternateContent") {
      return readShapes(
        file,
        element.name === "p:grpSp" ? element : (childNamed(element, "mc:Choice") ?? element),
        relations,
      );
    }
    if (element.name !== "p:sp" && element.name !== "p:graphicFrame" && element.name !== "p:pic") return [];
    const type = descendant(element, "p:ph")?.attributes.type ?? (descendant(element, "p:ph") ? "body" : null);
    if (type === "dt" || type === "ftr" || type === "sldNum") return [];
    const offset = descendant(element, "a:off");
    const isTitle = type === "title" || type === "ctrTitle";
    const blocks =
      element.name === "p:sp"
        ? readText(element, type, relations)
        : element.name === "p:pic"
          ? describedPicture(element)
          : readFrame(file, element, relations);
    return [{ blocks, isTitle, x: Number(offset?.attributes.x ?? "0"), y: Number(offset?.attributes.y ?? "0") }];
  });
};

const readText = (shape: MarkupElement, type: string | null, relations: Map<string, Relation>): Block[] => {
  const paragraphs = childrenNamed(childNamed(shape, "p:txBody"), "a:p");
  if (type === "title" || type === "ctrTitle") {
    const text = oneLine(paragraphs.map((paragraph) => paragraphText(paragraph, relations)).join(" "));
    return text === "" ? [] : [{ kind: "heading", level: 1, text }];
  }
  let count = 0;
  return paragraphs.flatMap((paragraph): Block[] => {
    const text = paragraphText(paragraph, relations).trim();
    if (text === "") return [];
    const properties = childNamed(paragraph, "a:pPr");
    const has = (name: string) => childNamed(properties, name) !== null;
    const isNumbered = has("a:buAutoNum");
    // Bodies have bullets by their layout unless a paragraph says it has none.
    const isItem = isNumbered || has("a:buChar") || ((type === "body" || type === "obj") && !has("a:buNone"));
    count = isNumbered ? count + 1 : 0;
    if (!isItem) return [{ kind: "paragraph", text }];
    const depth = Number(properties?.attributes.lvl ?? "0") || 0;
    return [{ kind: "item", depth, marker: isNumbered ? `${count}.` : "-", text }];
  });
};

const paragraphText = (paragraph: MarkupElement, relations: Map<string, Relation>): string => {
  let whole = "";
  for (const part of childElements(paragraph)) {
    if (part.name === "a:br") whole += "\n";
    if (part.name !== "a:r" && part.name !== "a:fld") continue;
    const text = atHeight(part, textOf(childNamed(part, "a:t")), whole);
    const link = relations.get(descendant(part, "a:hlinkClick")?.attributes["r:id"] ?? "");
    whole += link?.isExternal ? markdownLink(text, link.target) : text;
  }
  return whole;
};

/** Raised and lowered text as such. */
const atHeight = (run: MarkupElement, text: string, before: string): string => {
  const baseline = Number.parseInt(childNamed(run, "a:rPr")?.attributes.baseline ?? "0", 10);
  return baseline > 0 ? raisedText(text, before) : baseline < 0 ? loweredText(text) : text;
};

/** What somebody wrote for those who cannot see a picture. */
const describedPicture = (picture: MarkupElement): Block[] => {
  const text = oneLine(descendant(picture, "p:cNvPr")?.attributes.descr ?? "");
  return text === "" ? [] : [{ kind: "paragraph", text: `[Picture: ${text}]` }];
};

type Authors = ReadonlyMap<string, string>;

/** Names of those who commented, of old and of new comments, by their ids. */
const commentAuthors = (file: OfficePackage, relations: ReadonlyMap<string, Relation>): Authors => {
  const parts = [...relations.values()].filter(({ type }) => type === "commentAuthors" || type === "authors");
  const authors = parts.flatMap(({ target }) => {
    const root = file.part(target);
    return root === null ? [] : descendants(root, "p:cmAuthor", "p188:author");
  });
  return new Map(authors.map(({ attributes }) => [attributes.id ?? "", oneLine(attributes.name ?? "")]));
};

/** Comments on a slide, answers after what they answer. */
const readComments = (root: MarkupElement | null, authors: Authors): Block[] =>
  (root === null ? [] : descendants(root, "p:cm", "p188:cm")).flatMap((comment) =>
    [comment, ...descendants(comment, "p188:reply")].flatMap((one): Block[] => {
      const said = childNamed(one, "p:text") ?? childNamed(one, "p188:txBody");
      const paragraphs = said === null || said.name === "p:text" ? [] : descendants(said, "a:p");
      const text = oneLine(
        paragraphs.length === 0 ? textOf(said) : paragraphs.map((part) => paragraphText(part, new Map())).join(" "),
      );
      return commentBlock(authors.get(one.attributes.authorId ?? "") ?? "", text);
    }),
  );

/** A frame holds a table, a chart or a diagram. */
const readFrame = (file: OfficePackage, frame: MarkupElement, relations: Map<string, Relation>): Block[] => {
  const table = descendant(frame, "a:tbl");
  if (table) return [{ kind: "table", rows: tableRows(table, relations) }];
  const chart = relations.get(descendant(frame, "c:chart")?.attributes["r:id"] ?? "");
  const chartPart = chart ? file.part(chart.target) : null;
  if (chartPart) return chartTable(chartPart);
  const diagram = relations.get(descendant(frame, "dgm:relIds")?.attributes["r:dm"] ?? "");
  const data = diagram ? file.part(diagram.target) : null;
  return data ? diagramItems(data) : [];
};

const tableRows = (table: MarkupElement, relations: Map<string, Relation>): string[][] => {
  const rows = childrenNamed(table, "a:tr").map((row) =>
    childrenNamed(row, "a:tc").flatMap((cell): GridCell[] => {
      if (cell.attributes.hMerge === "1" || cell.attributes.vMerge === "1") return [];
      const text = descendants(cell, "a:p").map((paragraph) => paragraphText(paragraph, relations));
      return [
        {
          text: text.join(" "),
          columns: Number(cell.attributes.gridSpan ?? "1") || 1,
          rows: Number(cell.attributes.rowSpan ?? "1") || 1,
        },
      ];
    }),
  );
  return gridRows(rows);
};

const readNotes = (file: OfficePackage, relations: Map<string, Relation>): Block[] => {
  const relation = [...relations.values()].find(({ type }) => type === "notesSlide");
  const root = relation ? file.part(relation.target) : null;
  const body = (root ? descendants(root, "p:sp") : []).find(
    (shape) => descendant(shape, "p:ph")?.attributes.type === "body",
  );
  const paragraphs = body
    ? descendants(body, "a:p").map((paragraph) => oneLine(paragraphText(paragraph, new Map())))
    : [];
  const text = paragraphs.filter((paragraph) => paragraph !== "").join("\n");
  return text === "" ? [] : [{ kind: "paragraph", text: `Notes: ${text}` }];
};
