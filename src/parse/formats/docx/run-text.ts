import { loweredText, raisedText } from "../../blocks/raised-text.ts";
import { markdownLink, oneLine } from "../../blocks/tidy-text.ts";
import { formulaText } from "../../markup/formula.ts";
import {
  childElements,
  childNamed,
  childrenNamed,
  descendant,
  type MarkupElement,
  textOf,
} from "../../markup/markup.ts";

/** Inline text of a paragraph or of a part of one. */
export type RunText = (element: MarkupElement) => string;

/** Not read: deleted text, field codes, properties, and boxes and pictures, which are read separately. */
const ignored = new Set(
  (
    "w:del w:moveFrom w:instrText w:delText w:pPr w:rPr w:pict w:object mc:AlternateContent w:annotationRef " +
    "w:footnoteRef w:endnoteRef w:commentReference w:rt"
  ).split(" "),
);

/** What the text of a run refers to. */
export interface RunReferences {
  /** Address of a relation's id, or null. */
  linkTarget(id: string): string | null;
  /** The number that a footnote or endnote is shown with: they are counted in the order they are referred to. */
  noteNumber(kind: "footnote" | "endnote", id: string): number;
}

export const runText = (element: MarkupElement, references: RunReferences): string => {
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
