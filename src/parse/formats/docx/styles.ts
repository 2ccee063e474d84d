import { childNamed, childrenNamed, descendant, type MarkupElement } from "../../markup.ts";

export interface ParagraphStyle {
  /** Level of a heading, or null. */
  level: number | null;
  /** An entry of a table of contents. */
  isContents: boolean;
  isQuote: boolean;
  list: { numId: string; level: number } | null;
}

/** Resolves a paragraph's style, through the styles it is based on. */
export type StyleOf = (properties: MarkupElement | null) => ParagraphStyle;

const maxBased = 20;
/** Names of the quotation styles of Word, LibreOffice and Pandoc. */
const quoteStyle = /^(intense ?)?(quote|quotations?)$|^block ?text$/i;

/** @param styles root of styles.xml, or null */
export const readStyles = (styles: MarkupElement | null): StyleOf => {
  const byId = new Map(
    childrenNamed(styles ? descendant(styles, "w:styles") : null, "w:style").map((style) => [
      style.attributes["w:styleId"] ?? "",
      style,
    ]),
  );
  const chain = (id: string | undefined): MarkupElement[] => {
    const found: MarkupElement[] = [];
    for (
      let next = byId.get(id ?? "");
      next && found.length < maxBased;
      next = byId.get(value(next, "w:basedOn") ?? "")
    ) {
      found.push(next);
    }
    return found;
  };
  return (properties) => {
    const id = value(properties, "w:pStyle");
    const styleChain = chain(id);
    const sources = [properties, ...styleChain.map((style) => childNamed(style, "w:pPr"))];
    const names = styleChain.length > 0 ? styleChain.map((style) => value(style, "w:name") ?? "") : [id ?? ""];
    const own = names[0] ?? "";
    return {
      level: headingLevel(names, sources),
      isContents: /^toc \d/i.test(own),
      isQuote: names.some((name) => quoteStyle.test(name)),
      list: listOf(sources),
    };
  };
};

const headingLevel = (names: readonly string[], sources: readonly (MarkupElement | null)[]): number | null => {
  for (const name of names) {
    const heading = /^heading ?(\d)$/i.exec(name);
    if (heading) return Number(heading[1]);
    if (/^title$/i.test(name)) return 1;
  }
  for (const source of sources) {
    const level = Number(value(source, "w:outlineLvl") ?? "9");
    if (level < 9) return level + 1;
  }
  return null;
};

const listOf = (sources: readonly (MarkupElement | null)[]): { numId: string; level: number } | null => {
  let level: number | null = null;
  for (const source of sources) {
    const numbering = childNamed(source, "w:numPr");
    const stated = value(numbering, "w:ilvl");
    if (level === null && stated !== undefined) level = Number(stated) || 0;
    const numId = value(numbering, "w:numId");
    if (numId !== undefined) return numId === "0" ? null : { numId, level: level ?? 0 };
  }
  return null;
};

/** The `w:val` of a child. */
export const value = (element: MarkupElement | null, name: string): string | undefined =>
  childNamed(element, name)?.attributes["w:val"];
