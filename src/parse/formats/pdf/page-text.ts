import { pairsIn } from "../../blocks/tidy-text.ts";
import { inLogicalOrder, isRightToLeft } from "./bidi.ts";
import { charactersIn, type PlacedText } from "./measures.ts";
import {
  type Box,
  boxAround,
  type Character,
  type Drawing,
  fixedPitch,
  type PdfPage,
  type Turn,
  turnedBox,
} from "./pdfium.ts";

/** A word with its position in points; y grows downwards. */
export interface TextRun {
  text: string;
  x: number;
  /** Position of the baseline. */
  y: number;
  width: number;
  /** Height of the font. */
  size: number;
  font: string;
  /** A blank that precedes it: `stated` in the file, or `seen` by PDFium. */
  blank: Blank;
}

type Blank = "none" | "seen" | "stated";

/** Text in one direction, with its position on the page turned so that lines run from left to right. */
export interface TextFlow {
  isUpright: boolean;
  runs: TextRun[];
  /** Lines and thin bars. */
  rules: Box[];
  height: number;
}

export interface PageText {
  /** Upright text, text a quarter turned either way or upside down, and vertical text. */
  flows: TextFlow[];
  /** Text in any other direction, such as a watermark, in the file's order. */
  slanted: string;
  /** Characters whose font does not say what they mean. */
  unknown: number;
  known: number;
  /** Characters of a text layer that is not shown, such as that of OCR. */
  invisible: number;
  drawing: Drawing;
}

const maxRunsPerPage = 100_000;
/** A gap of this many font heights parts two words where the file has no blank. */
const wordGap = 0.16;
/** Letters of scripts whose signs are drawn one over the other, which PDFium guesses the widths of, and joined ones. */
const complexScript = /[\u0900-\u0dff\u0e00-\u0eff\u0f00-\u109f\u1780-\u17ff]/;
const complexWordGap = 0.7;
export const joinedScript = /[\u0600-\u08ff\ufb50-\ufdff\ufe70-\ufefc]/;
const joinedWordGap = 0.22;

/** Chinese and Japanese have no blanks; their signs may be set apart, and their marks are narrow. */
const [endsWide, beginsWide] = [
  /[\u2e80-\u312f\u3190-\u9fff\uff00-\uff65]$/,
  /^[\u2e80-\u312f\u3190-\u9fff\uff00-\uff65]/,
];
const wideWordGap = 0.6;

/** Whether so wide a gap parts words that PDFium's own guess of a blank says nothing. */
export const isWideGap = (gap: number): boolean => gap > joinedWordGap;

/** How many font heights part two words that these texts end and begin. */
export const wordGapOf = (before: string, after: string): number => {
  if ((endsWide.test(before) && beginsWide.test(after)) || /・$/.test(before) || /^・/.test(after)) return wideWordGap;
  if (complexScript.test(before) && (complexScript.test(after) || /^[:;,.!?]/.test(after))) return complexWordGap;
  return joinedScript.test(after) && joinedScript.test(before) ? joinedWordGap : wordGap;
};

/** What Symbol fonts draw from their private places. */
const privateForms = pairsIn("\uf0b7:• \uf0a7:▪ \uf06e:■ \uf0d8:➢ \uf0fc:✓");
const isPrivate = (text: string): boolean => /^[\ue000-\uf8ff\ufffd\u{f0000}-\u{10fffd}]$/u.test(text);
/** Accents that stand alone, by the one that joins a letter. */
const accents = pairsIn(
  "´:\u0301 `:\u0300 ¨:\u0308 ˆ:\u0302 ˜:\u0303 ¯:\u0304 ˘:\u0306 ˙:\u0307 ˚:\u030a ˝:\u030b ˇ:\u030c ¸:\u0327 ˛:\u0328",
);

/** A page's text with its positions. */
export const readPageText = (page: PdfPage): PageText => {
  const drawing = page.drawing();
  const { width, height } = page;
  const all = [...page.characters()];
  const hidden = hiddenObjects(page, all);
  const shownCharacters = all.filter(({ style }) => !hidden.has(style.object));
  const characters = withAccents(withoutRepeatedTexts(shownCharacters));
  const [verticalFonts, evenFonts] = [findVerticalFonts(characters), findEvenFonts(characters)];
  const flows = new Map<Direction, Words>();
  const slanted: string[] = [];
  let [unknown, known, invisible] = [0, 0, 0];
  let before: Direction | null = null;
  for (const character of characters) {
    const { text, style, isAdded } = character;
    const direction = verticalFonts.has(style.font) && style.angle === 0 ? "vertical" : directionOf(style.angle);
    if (isAdded || /^\s$/.test(text)) {
      if (before === null) slanted.push(" ");
      else flows.get(before)?.blank(isAdded);
      continue;
    }
    const shown = privateForms.get(text) ?? text;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: PDFium gives them for letters without meaning
    if (isPrivate(shown) || /^[\u0000-\u001f]$/.test(shown)) {
      unknown++;
      continue;
    }
    known++;
    if (style.isInvisible) invisible++;
    before = direction;
    if (direction === null) slanted.push(shown);
    else {
      const words = flows.get(direction) ?? createWords();
      flows.set(direction, words);
      const sign = placed({ ...character, text: shown }, direction, width, height);
      words.add({ ...sign, font: evenFonts.get(sign.font) ?? sign.font });
    }
  }
  return {
    flows: directions
      .flatMap((direction): TextFlow[] => {
        const runs = flows.get(direction)?.finish().slice(0, maxRunsPerPage);
        if (runs === undefined) return [];
        const turn = turnOf(direction, width, height);
        if (direction === 0) runs.push(...bulletsOf(drawing.dots, runs));
        const isSideways = direction !== 0 && direction !== 180;
        const rules = drawing.rules.map((rule) => turnedBox(turn, rule));
        return [{ isUpright: direction === 0, runs, rules, height: isSideways ? width : height }];
      })
      .sort(byImportance),
    slanted: slanted.join("").replace(/\s+/g, " ").trim(),
    unknown,
    known,
    invisible,
    drawing,
  };
};

/** The text of an item begins at most this many font heights after its mark, which is at most this share of one high. */
const [markReach, markShare] = [2, 0.6];
const maxDots = 2_000;

/** Marks of list items that are drawn: dots before a text, halfway up its small letters, with none on their other side. */
const bulletsOf = (dots: readonly Box[], runs: readonly TextRun[]): TextRun[] =>
  dots.slice(0, maxDots).flatMap(({ x0, y0, x1, y1 }) => {
    const middle = (y0 + y1) / 2;
    const beside = runs.filter(({ y, size }) => middle < y - 0.1 * size && middle > y - 0.65 * size);
    const clearance = ({ x, width }: TextRun) => Math.max(x - x1, x0 - x - width);
    const [item, other] = beside
      .filter((run) => clearance(run) < 2 * markReach * run.size)
      .sort((a, b) => clearance(a) - clearance(b));
    if (item === undefined || clearance(item) < 0 || clearance(item) > markReach * item.size) return [];
    if (y1 - y0 > markShare * item.size || !/\p{L}/u.test(item.text) || item.x > x1 === isRightToLeft(item.text))
      return [];
    const isFirst = other === undefined || other.x > x1 === item.x > x1;
    return isFirst ? [{ ...item, text: "•", x: x0, width: x1 - x0, blank: "stated" as const }] : [];
  });

/** Upright text comes first, unless there is hardly any. */
const byImportance = (a: TextFlow, b: TextFlow): number => {
  const [ofA, ofB] = [charactersIn(a.runs), charactersIn(b.runs)];
  if (a.isUpright && ofA >= minorShare * ofB) return -1;
  if (b.isUpright && ofB >= minorShare * ofA) return 1;
  return ofB - ofA;
};

/** Text in another direction with less than this share of the letters is beside the matter, such as a stamp. */
export const minorShare = 0.1;

/** Directions in which text is laid out as on an upright page: clockwise in degrees, or lines from above to below. */
type Direction = 0 | 90 | 270 | 180 | "vertical";
const directions: readonly Direction[] = [0, 90, 270, 180, "vertical"];
const maxSlant = 3;

/** The direction nearest to an angle; null for slanted text. */
const directionOf = (angle: number): Direction | null => {
  const quarter = Math.round(angle / 90) * 90;
  return Math.abs(angle - quarter) <= maxSlant ? ((quarter % 360) as Direction) : null;
};

/** Fonts whose signs follow one another downwards. */
const findVerticalFonts = (characters: readonly Character[]): ReadonlySet<string> => {
  const votes = new Map<string, number>();
  characters.forEach((character, index) => {
    const before = characters[index - 1];
    const { object, font, size, angle } = character.style;
    if (before?.style.object !== object || angle !== 0 || before.isAdded || character.isAdded) return;
    const isBelow = Math.abs(character.x - before.x) < 0.3 * size && character.y - before.y > 0.4 * size;
    votes.set(font, (votes.get(font) ?? 0) + (isBelow ? 1 : -1));
  });
  return new Set([...votes].flatMap(([font, count]) => (count > 0 ? [font] : [])));
};

/** Ends the name of a font of fixed pitch whose letters were measured: some that are said to be of one are not. */
export const evenPitch = ` even${fixedPitch}`;

/** The names of fonts after whether their narrow letters are as wide as their wide ones, which not all of them say. */
const findEvenFonts = (characters: readonly Character[]): ReadonlyMap<string, string> => {
  const fonts = Map.groupBy(
    characters.filter(({ text, style }) => style.angle === 0 && /^[ijlmwMW;,.]$/.test(text)),
    ({ style }) => style.font,
  );
  const named = [...fonts].flatMap(([font, own]): [string, string][] => {
    if (![/[ijl;,.]/, /[mwMW]/].every((kind) => own.some(({ text }) => kind.test(text)))) return [];
    const widths = own.map(({ x0, x1, style }) => (x1 - x0) / style.size).sort((a, b) => a - b);
    const isEven = (widths.at(-1) ?? 0) - (widths[0] ?? 0) < 0.1;
    return [[font, `${font.replace(fixedPitch, "")}${isEven ? evenPitch : ""}`]];
  });
  return new Map(named);
};

/** An accent is drawn at most this many characters before or after its letter. */
const accentReach = 40;

/** Accents that are drawn over a letter as characters of their own, as TeX does, become one with it. */
const withAccents = (characters: readonly Character[]): Character[] => {
  const joined = new Set<Character>();
  const marks = new Map<Character, string>();
  characters.forEach((accent, index) => {
    const combining = accents.get(accent.text);
    if (combining === undefined) return;
    const isUnder = (one: Character | undefined): one is Character =>
      one !== undefined &&
      /^\p{L}$/u.test(one.text) &&
      Math.abs(one.y - accent.y) < 0.3 * one.style.size &&
      Math.min(one.x1, accent.x1) - Math.max(one.x0, accent.x0) >
        0.5 * Math.min(one.x1 - one.x0, accent.x1 - accent.x0);
    for (let away = 1; away <= accentReach; away++) {
      const letter = [characters[index + away], characters[index - away]].find(isUnder);
      if (letter === undefined) continue;
      joined.add(accent);
      marks.set(letter, combining);
      break;
    }
  });
  return joined.size === 0
    ? [...characters]
    : characters.flatMap((character) => {
        const mark = marks.get(character);
        if (mark !== undefined) return [{ ...character, text: `${character.text}${mark}`.normalize("NFC") }];
        return joined.has(character) ? [] : [character];
      });
};

/**
 * PDFium gives the text that a PDF states for several objects together (`/ActualText`) once for each object: the same
 * again at the same place is left out.
 */
const withoutRepeatedTexts = (characters: readonly Character[]): Character[] => {
  const objects: { text: string; x0: number; x1: number; y: number }[] = [];
  const dropped = new Set<number>();
  let group: Character[] = [];
  const close = () => {
    const [first] = group;
    // The characters of a stated text all have the place of its object.
    if (first && group.length > 1 && group.every(({ x, y }) => x === first.x && y === first.y)) {
      const text = group.map((character) => character.text).join("");
      const { x0, x1 } = boxAround(group);
      const { y } = first;
      const before = objects.findLast((other) => other.text === text && Math.abs(other.y - y) < 0.5 * first.style.size);
      const isAgain =
        before && Math.min(before.x1, x1) - Math.max(before.x0, x0) > 0.3 * Math.min(before.x1 - before.x0, x1 - x0);
      if (isAgain) dropped.add(first.style.object);
      else objects.push({ text, x0, x1, y });
      if (objects.length > 4) objects.shift();
    }
    group = [];
  };
  for (const character of characters) {
    if (character.isAdded) continue;
    if (group[0] && group[0].style.object !== character.style.object) close();
    group.push(character);
  }
  close();
  return dropped.size === 0 ? [...characters] : characters.filter(({ style }) => !dropped.has(style.object));
};

/** From the page to where text in that direction runs from left to right. */
const turnOf = (direction: Direction, width: number, height: number): Turn => {
  if (direction === 90 || direction === "vertical") return (x, y) => [y, width - x];
  if (direction === 270) return (x, y) => [height - y, x];
  if (direction === 180) return (x, y) => [width - x, height - y];
  return (x, y) => [x, y];
};

const verticalAscent = 0.88;

/** A character in the coordinates of its direction; vertical text stands on the middle of its line. */
type Sign = PlacedText;

const placed = (character: Character, direction: Direction, width: number, height: number): Sign => {
  const turn = turnOf(direction, width, height);
  const { size, font } = character.style;
  if (direction === "vertical") {
    // Its box is that of the upright letter.
    const x0 = character.y - verticalAscent * size;
    return { text: upright(character.text), x0, x1: x0 + size, y: width - character.x, size, font };
  }
  const { x0, x1 } = turnedBox(turn, character);
  const [, y] = turn(character.x, character.y);
  return { text: character.text, x0, x1, y, size, font };
};

type Words = ReturnType<typeof createWords>;

/** Puts signs together to words by where they stand. */
const createWords = () => {
  const runs: TextRun[] = [];
  let word: Sign[] = [];
  let blankBefore: Blank = "none";
  /** Waits for the next word. */
  let blank: Blank = "none";

  const close = () => {
    for (const part of besideDots(word)) runs.push(runOf(part, blankBefore));
    word = [];
  };

  /** Whether a sign continues the open word. */
  const continues = (sign: Sign): boolean => {
    const last = word.at(-1);
    if (last === undefined || last.font !== sign.font || last.size !== sign.size) return false;
    const { size } = sign;
    if (Math.abs(last.y - sign.y) > 0.05 * size) return false;
    if (isMark(sign)) return true;
    if (blank === "stated") return false;
    const allowed = wordGapOf(last.text, sign.text);
    if (blank === "seen" && allowed === wordGap) return false;
    const isTurned = isRightToLeft(sign.text) || isRightToLeft(last.text);
    // The letters of a ligature share its box.
    if (sign.x0 === last.x0 && sign.x1 === last.x1) return true;
    const gap = isTurned ? last.x0 - sign.x1 : sign.x0 - last.x1;
    return gap <= allowed * size && gap > -0.5 * size;
  };

  return {
    blank(isAdded: boolean): void {
      if (blank !== "stated") blank = isAdded ? "seen" : "stated";
    },
    add(sign: Sign): void {
      if (!(sign.size > 0) || !Number.isFinite(sign.x0 + sign.x1 + sign.y)) return;
      if (!continues(sign)) {
        close();
        blankBefore = blank;
      }
      word.push(sign);
      blank = "none";
    },
    finish(): TextRun[] {
      close();
      return withoutSpacedDots(runs);
    },
  };
};

/** So many dots one after the other lead from a name to its figure. */
const fewestDots = 4;
const isDot = ({ text }: { text: string }): boolean => /^[.…·]{1,3}$/.test(text);

/** The parts of a word that dots lead from and to. */
const besideDots = (word: readonly Sign[]): Sign[][] => {
  const parts: Sign[][] = [];
  const part: Sign[] = [];
  let dots: Sign[] = [];
  const close = () => {
    if (dots.length <= fewestDots) for (const dot of dots) part.push(dot);
    else parts.push(part.splice(0));
    dots = [];
  };
  for (const sign of word) {
    if (isDot(sign)) dots.push(sign);
    else {
      close();
      part.push(sign);
    }
  }
  close();
  return [...parts, part].filter((one) => one.length > 0);
};

const withoutSpacedDots = (runs: readonly TextRun[]): TextRun[] => {
  const isLeader = runs.map(() => false);
  let from = 0;
  runs.forEach((run, at) => {
    if (!isDot(run) || Math.abs(run.y - (runs[from]?.y ?? 0)) > 1) from = isDot(run) ? at : at + 1;
    else if (at - from + 1 >= fewestDots) isLeader.fill(true, from, at + 1);
  });
  return runs.filter((_, index) => isLeader[index] !== true);
};

const isMark = ({ text, x0, x1, size }: Sign): boolean => /^\p{M}$/u.test(text) || x1 - x0 < 0.01 * size;

const runOf = (signs: readonly Sign[], blank: Blank): TextRun => {
  const [first] = signs as [Sign];
  const letters = signs.filter((sign) => !isMark(sign));
  const drawn = letters.length > 0 ? letters : signs;
  const x = Math.min(...drawn.map(({ x0 }) => x0));
  const x1 = Math.max(...drawn.map((sign) => sign.x1));
  const isTurned = signs.some(({ text }) => isRightToLeft(text));
  const text = isTurned ? inLogicalOrder(fromLeft(signs)) : signs.map((sign) => sign.text).join("");
  const { y, size, font } = first;
  // Letters of formulas, which Unicode has in italics and other styles of their own, as others write them.
  const plain = text.replace(/[\u{1d400}-\u{1d7ff}]+/gu, (letters) => letters.normalize("NFKC"));
  return { text: withLigaturesApart(plain), x, y, width: x1 - x, size, font, blank };
};

/** Texts of signs from left to right, marks after their letter. */
const fromLeft = (signs: readonly Sign[]): string[] => {
  const clusters: Sign[][] = [];
  for (const sign of signs) {
    const last = clusters.at(-1);
    if (last && isMark(sign)) last.push(sign);
    else clusters.push([sign]);
  }
  return clusters
    .sort(([a], [b]) => (a as Sign).x0 + (a as Sign).x1 - (b as Sign).x0 - (b as Sign).x1)
    .map((cluster) => cluster.map(({ text }) => text).join(""));
};

/** Latin ligatures as their letters. */
const withLigaturesApart = (text: string): string =>
  text.replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize("NFKC"));

const hiddenDotsPerInch = 100;

/**
 * The text objects of layers that the reader has hidden: PDFium draws what is visible, so that the place of a hidden one
 * is blank. The page is drawn only where there are layers.
 */
const hiddenObjects = (page: PdfPage, characters: readonly Character[]): ReadonlySet<number> => {
  const optional = characters.filter(({ style, isAdded }) => style.isOptional && !isAdded);
  if (optional.length === 0) return new Set();
  const { data, width } = page.render(hiddenDotsPerInch);
  const scale = hiddenDotsPerInch / 72;
  const isBlank = (box: Box): boolean => {
    let [darkest, lightest] = [255, 0];
    for (let y = Math.max(Math.floor(box.y0 * scale), 0); y < box.y1 * scale; y++) {
      for (let x = Math.max(Math.floor(box.x0 * scale), 0); x < Math.min(box.x1 * scale, width); x++) {
        const value = data[y * width + x] ?? 255;
        darkest = Math.min(darkest, value);
        lightest = Math.max(lightest, value);
      }
    }
    return lightest - darkest <= 40;
  };
  const objects = Map.groupBy(optional, ({ style }) => style.object);
  return new Set([...objects].flatMap(([object, own]) => (isBlank(boxAround(own)) ? [object] : [])));
};

/**
 * Punctuation as fonts draw it between vertical letters (Unicode's Vertical and CJK Compatibility Forms), and plain.
 */
const verticalForms = "︐︑︒︓︔︕︖︗︘︙︰︱︲︳︴︵︶︷︸︹︺︻︼︽︾︿﹀﹁﹂﹃﹄﹇﹈";
const plainForms = "，、。：；！？〖〗…‥—–＿﹏（）｛｝〔〕【】《》〈〉「」『』［］";

const upright = (text: string): string =>
  text.replace(/[\ufe10-\ufe19\ufe30-\ufe48]/g, (form) => plainForms[verticalForms.indexOf(form)] ?? form);
