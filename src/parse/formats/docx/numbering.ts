import { childNamed, childrenNamed, descendant, type MarkupElement } from "../../markup/markup.ts";
import { value } from "./styles.ts";

interface Level {
  format: string;
  text: string;
  start: number;
}

/** The marker of the next paragraph of a list: `-`, or its number as the file formats it. */
export type NextMarker = (numId: string, level: number) => string;

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
  /** Counters of a list's levels; lists over one definition count on together unless they start anew. */
  const counters = new Map<string, number[]>();
  return (numId, level) => {
    const list = lists.get(numId);
    const levels = abstracts.get(list?.abstract ?? "");
    const own = levels?.get(level);
    if (!list || !levels || !own || own.format === "bullet" || own.format === "none") return "-";
    const key = list.overrides.size > 0 ? `num ${numId}` : `abstract ${list.abstract}`;
    const counts = counters.get(key) ?? [];
    counters.set(key, counts);
    counts[level] = (counts[level] ?? (list.overrides.get(level) ?? own.start) - 1) + 1;
    counts.length = level + 1;
    const marker = own.text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const format = levels.get(at)?.format ?? "decimal";
      return formatNumber(counts[at] ?? levels.get(at)?.start ?? 1, format);
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

const formatNumber = (number: number, format: string): string => {
  if (format === "lowerLetter") return letters(number).toLowerCase();
  if (format === "upperLetter") return letters(number);
  if (format === "lowerRoman") return roman(number).toLowerCase();
  if (format === "upperRoman") return roman(number);
  return format === "decimalZero" && number < 10 ? `0${number}` : String(number);
};

/** A … Z, AA, BB … as word processors count. */
const letters = (number: number): string => {
  const index = Math.max(0, number - 1);
  return String.fromCharCode(65 + (index % 26)).repeat(Math.min(Math.floor(index / 26) + 1, 20));
};

const roman = (number: number): string => {
  const steps: [number, string][] = [
    [1000, "M"],
    [900, "CM"],
    [500, "D"],
    [400, "CD"],
    [100, "C"],
    [90, "XC"],
    [50, "L"],
    [40, "XL"],
    [10, "X"],
    [9, "IX"],
    [5, "V"],
    [4, "IV"],
    [1, "I"],
  ];
  let left = Math.min(Math.max(number, 0), 4000);
  let text = "";
  for (const [value, sign] of steps) {
    for (; left >= value; left -= value) text += sign;
  }
  return text;
};
