import { listNumber } from "../../blocks/list-numbers.ts";
import { childNamed, childrenNamed, descendant, type MarkupElement } from "../../markup/markup.ts";

interface ParagraphStyle {
  /** Level of a heading, or null. */
  level: number | null;
  /** An entry of a table of contents. */
  isContents: boolean;
  isQuote: boolean;
  list: { numId: string; level: number; depth: number } | null;
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
  /** What is looked up in each style, once: many paragraphs may name one with many entries. */
  const known = new Map<string, NamedStyle | null>();
  const named = (id: string): NamedStyle | null => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const style = byId.get(id);
    const read = style === undefined ? null : readStyle(style);
    known.set(id, read);
    return read;
  };
  const chain = (id: string): NamedStyle[] => {
    const found: NamedStyle[] = [];
    for (let next = named(id); next !== null && found.length < maxBased; next = named(next.basedOn)) found.push(next);
    return found;
  };
  return (properties) => {
    const id = value(properties, "w:pStyle") ?? "";
    const styleChain = chain(id);
    const sources = [stated(properties), ...styleChain.map((style) => style.stated)];
    const names = styleChain.length > 0 ? styleChain.map(({ name }) => name) : [id];
    const own = names[0] ?? "";
    return {
      level: headingLevel(names, sources),
      isContents: /^toc \d/i.test(own),
      isQuote: names.some((name) => quoteStyle.test(name)),
      list: listOf(sources, /^list (?:bullet|number) (\d)$/i.exec(own)?.[1]),
    };
  };
};

interface NamedStyle {
  name: string;
  basedOn: string;
  stated: StatedProperties;
}

/** What paragraph properties say themselves. */
interface StatedProperties {
  outlineLevel: string | undefined;
  list: { level: string | undefined; numId: string | undefined };
}

const readStyle = (style: MarkupElement): NamedStyle => ({
  name: value(style, "w:name") ?? "",
  basedOn: value(style, "w:basedOn") ?? "",
  stated: stated(childNamed(style, "w:pPr")),
});

const stated = (properties: MarkupElement | null): StatedProperties => {
  const numbering = childNamed(properties, "w:numPr");
  return {
    outlineLevel: value(properties, "w:outlineLvl"),
    list: { level: value(numbering, "w:ilvl"), numId: value(numbering, "w:numId") },
  };
};

const headingLevel = (names: readonly string[], sources: readonly StatedProperties[]): number | null => {
  for (const name of names) {
    const heading = /^heading ?(\d)$/i.exec(name);
    if (heading) return Number(heading[1]);
    if (/^title$/i.test(name)) return 1;
  }
  for (const { outlineLevel } of sources) {
    const level = Number(outlineLevel ?? "9");
    if (level < 9) return level + 1;
  }
  return null;
};

/** @param named the depth that the style's name says, from 1: each such style is a list of its own, of one level */
const listOf = (
  sources: readonly StatedProperties[],
  named: string | undefined,
): { numId: string; level: number; depth: number } | null => {
  let level: number | null = null;
  for (const { list } of sources) {
    if (level === null && list.level !== undefined) level = Number(list.level) || 0;
    if (list.numId !== undefined) {
      const depth = level || Math.max(Number(named ?? 1) - 1, 0);
      return list.numId === "0" ? null : { numId: list.numId, level: level ?? 0, depth };
    }
  }
  return null;
};

/** The `w:val` of a child. */
export const value = (element: MarkupElement | null, name: string): string | undefined =>
  childNamed(element, name)?.attributes["w:val"];

interface Level {
  format: string;
  text: string;
  start: number;
}

/** The marker of the next paragraph of a list: `-`, or its number as the file formats it. */
export type NextMarker = (numId: string, level: number) => string;

/** Bullets that are boxes of tasks, those of the font Wingdings included. */
const taskBoxes: ReadonlyMap<string, string> = new Map([
  ...["☐", "□", "\uf0a8", "\uf06f"].map((box) => [box, "- [ ]"] as const),
  ...["☑", "☒", "\uf0fe", "\uf0fd"].map((box) => [box, "- [x]"] as const),
]);

/** Counts lists as a word processor does. @param numbering root of numbering.xml, or null */
export const readNumbering = (numbering: MarkupElement | null): NextMarker => {
  const root = numbering ? descendant(numbering, "w:numbering") : null;
  const abstracts = new Map(
    childrenNamed(root, "w:abstractNum").map((element) => [
      element.attributes["w:abstractNumId"] ?? "",
      readLevels(element),
    ]),
  );
  const lists = new Map(
    childrenNamed(root, "w:num").map((element) => [
      element.attributes["w:numId"] ?? "",
      { abstract: value(element, "w:abstractNumId") ?? "", overrides: readOverrides(element) },
    ]),
  );
  /** Counters of levels by their definition: its lists count on together; one that starts anew does so once. */
  const counters = new Map<string, number[]>();
  return (numId, level) => {
    const list = lists.get(numId);
    const levels = abstracts.get(list?.abstract ?? "");
    const own = levels?.get(level);
    if (!list || !levels || !own || own.format === "bullet" || own.format === "none") {
      return taskBoxes.get(own?.text ?? "") ?? "-";
    }
    const counts = counters.get(list.abstract) ?? [];
    counters.set(list.abstract, counts);
    const first = list.overrides.get(level);
    list.overrides.delete(level);
    counts[level] = first ?? (counts[level] ?? own.start - 1) + 1;
    counts.length = level + 1;
    const marker = own.text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const format = levels.get(at)?.format ?? "decimal";
      return listNumber(counts[at] ?? levels.get(at)?.start ?? 1, format);
    });
    return marker.trim() === "" ? "-" : marker.trim();
  };
};

const readLevels = (abstract: MarkupElement): Map<number, Level> => {
  return new Map(
    childrenNamed(abstract, "w:lvl").map((level) => [
      Number(level.attributes["w:ilvl"] ?? "0"),
      {
        format: value(level, "w:numFmt") ?? "decimal",
        text: value(level, "w:lvlText") ?? "",
        start: Number(value(level, "w:start") ?? "1"),
      },
    ]),
  );
};

const readOverrides = (list: MarkupElement): Map<number, number> => {
  return new Map(
    childrenNamed(list, "w:lvlOverride").flatMap((override) => {
      const start = childNamed(override, "w:startOverride")?.attributes["w:val"];
      return start === undefined ? [] : [[Number(override.attributes["w:ilvl"] ?? "0"), Number(start)] as const];
    }),
  );
};
