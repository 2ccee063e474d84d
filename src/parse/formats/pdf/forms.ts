import type { Block } from "../../blocks/blocks.ts";
import { oneLine } from "../../blocks/tidy-text.ts";
import {
  childElements,
  childNamed,
  childrenNamed,
  descendant,
  type MarkupElement,
  readMarkup,
  textOf,
} from "../../markup/markup.ts";
import { readXmlData, topOf } from "../xml/xml.ts";
import { isMostlyRightToLeft } from "./bidi.ts";
import { columnCharacters, median, mostCounted } from "./measures.ts";
import type { TextFlow, TextRun } from "./page-text.ts";
import type { Annotation, Box, StoredSignature } from "./pdfium.ts";
import { findUprights } from "./segments.ts";

const usualSize = 10;
/** The average width of a letter, in font heights. */
const letterWidth = 0.5;
const maxFieldCharacters = 20_000;

/**
 * The values of a form's fields and typed notes as words where they stand, so that each is read beside its label. A value
 * that the page shows anyway is left out; one without a label beside or above it gets the field's own name. Long ones stand
 * right after the label, or they would look like a column of text.
 * @param isShown whether the page itself has that text in the box
 */
export const typedRuns = (
  annotations: readonly Annotation[],
  { runs, rules }: Pick<TextFlow, "runs" | "rules">,
  isShown: (box: Box, text: string) => boolean,
): TextRun[] => {
  const size = runs.length > 0 ? median(runs.map((run) => run.size)) : usualSize;
  const isParted = findUprights(rules);
  const fonts = new Map<string, number>();
  for (const { font, text } of runs) fonts.set(font, (fonts.get(font) ?? 0) + text.length);
  const font = mostCounted(fonts) ?? "";
  return annotations.flatMap((annotation): TextRun[] => {
    const { kind, box, text, label } = annotation;
    if ((kind !== "field" && kind !== "typed") || isShown(box, text)) return [];
    const beside = lineBeside(box, runs);
    const isNamed = kind === "typed" || beside !== undefined || isBelowText(box, runs, size) || !/\p{L}/u.test(label);
    const value = `${isNamed ? "" : `${label}: `}${text.slice(0, maxFieldCharacters)}`;
    const lines = value.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
    const height = box.y1 - box.y0;
    const own = Math.max(Math.min(beside?.size ?? size, height * 0.9), 1);
    const first = beside?.y ?? (height < 2.2 * own ? box.y1 - (height - 0.7 * own) / 2 : box.y0 + own);
    const labelEnd = beside === undefined ? 0 : beside.x + beside.width;
    const isAfter =
      kind === "field" && text.length >= columnCharacters && beside !== undefined && labelEnd <= box.x0 + 1;
    const isNext =
      isAfter &&
      !annotations.some((other) => other.box.x0 >= labelEnd && other.box.x1 <= box.x0 + 1 && onOneLine(other.box, box));
    const x = isNext && !isParted(labelEnd, box.x0, first) ? labelEnd + 0.3 * own : box.x0 + 1;
    return lines.flatMap((line, index) => wordsOf(line, { x, y: first + index * 1.2 * own, size: own, font }));
  });
};

/** The nearest word left or right of a box on its line. */
const lineBeside = (box: Box, runs: readonly TextRun[]): TextRun | undefined => {
  const distance = (run: TextRun) => Math.max(box.x0 - run.x - run.width, run.x - box.x1, 0);
  return runs
    .filter(
      ({ y, size }) =>
        y > box.y0 && y - 0.7 * size < box.y1 && y - 0.35 * size > box.y0 - 0.2 * size && y < box.y1 + 0.35 * size,
    )
    .sort((a, b) => distance(a) - distance(b))[0];
};

const onOneLine = (a: Box, b: Box): boolean => Math.min(a.y1, b.y1) > Math.max(a.y0, b.y0);

const isBelowText = (box: Box, runs: readonly TextRun[], size: number): boolean =>
  runs.some(({ x, y, width }) => y <= box.y0 + 1 && y > box.y0 - 2 * size && x < box.x1 && x + width > box.x0);

const wordsOf = (line: string, place: Pick<TextRun, "x" | "y" | "size" | "font">): TextRun[] => {
  let at = place.x;
  const words = line.trim().split(/\s+/);
  return (isMostlyRightToLeft(line) ? words.reverse() : words).map((text) => {
    const width = [...text].length * letterWidth * place.size;
    const run: TextRun = { ...place, text, x: at, width, blank: "stated" };
    at += width + 0.3 * place.size;
    return run;
  });
};

/** Notes on a page, with who wrote them. */
export const noteTexts = (annotations: readonly Annotation[]): string[] =>
  annotations.flatMap(({ kind, text, label }) =>
    kind === "note" ? [`Note${label.trim() === "" ? "" : ` (${label.trim()})`}: ${text}`] : [],
  );

interface DerElement {
  tag: number;
  content: Uint8Array;
}

const maxElements = 200;
const [sequence, set, objectId, certificates] = [0x30, 0x31, 0x06, 0xa0];
const commonName = "550403";

/** The elements that follow one another in DER (X.690), as far as they are whole. */
const elementsIn = (bytes: Uint8Array | undefined, most = maxElements): DerElement[] => {
  const found: DerElement[] = [];
  for (let at = 0; bytes !== undefined && at + 2 <= bytes.length && found.length < most; ) {
    const [tag = 0, short = 0] = bytes.subarray(at, at + 2);
    const extra = short > 0x80 ? short & 0x7f : 0;
    if (short === 0x80 || extra > 4) break;
    const start = at + 2 + extra;
    const length = extra === 0 ? short : bytes.subarray(at + 2, start).reduce((value, byte) => value * 256 + byte, 0);
    if (start + length > bytes.length) break;
    found.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return found;
};

const isSame = (a: DerElement | undefined, b: DerElement | undefined): boolean =>
  a !== undefined && b !== undefined && Buffer.compare(a.content, b.content) === 0;

/** The name in the certificate that a signature was made with; null where it cannot be found. */
const signerOf = (contents: Uint8Array): string | null => {
  const [, wrapped] = elementsIn(elementsIn(contents, 1)[0]?.content);
  const parts = elementsIn(elementsIn(wrapped?.content)[0]?.content);
  const [signer] = elementsIn(parts.findLast(({ tag }) => tag === set)?.content);
  const [issuer, serial] = elementsIn(elementsIn(signer?.content)[1]?.content);
  const held = elementsIn(parts.find(({ tag }) => tag === certificates)?.content).map(({ content }) => {
    const fields = elementsIn(elementsIn(content)[0]?.content).filter(({ tag }) => tag !== certificates);
    const [serialNumber, , issuedBy, , subject] = fields;
    return { serialNumber, issuedBy, subject };
  });
  const own = held.find(({ serialNumber, issuedBy }) => isSame(serialNumber, serial) && isSame(issuedBy, issuer));
  for (const names of elementsIn(own?.subject?.content)) {
    for (const { tag, content } of elementsIn(names.content)) {
      const [type, value] = elementsIn(content);
      const isName = tag === sequence && type?.tag === objectId;
      if (isName && Buffer.from(type.content).toString("hex") === commonName && value) return nameOf(value);
    }
  }
  return null;
};

/** A BMPString is UTF-16, a T61String in practice Latin-1, any other UTF-8. */
const nameOf = ({ tag, content }: DerElement): string =>
  new TextDecoder(tag === 0x1e ? "utf-16be" : tag === 0x14 ? "latin1" : "utf-8").decode(content);

/** Who signed, when and why, as a labelled line; null where the signature does not say who. */
export const signatureText = ({ contents, time, reason }: StoredSignature): string | null => {
  const name = signerOf(contents)?.trim() ?? "";
  if (name === "") return null;
  const [, year, month, day, hour, minute] = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)/.exec(time) ?? [];
  const at = year === undefined ? "" : `, ${year}-${month}-${day} ${hour}:${minute}`;
  return `Signed by: ${name}${at}${reason.trim() === "" ? "" : `, reason: ${reason.trim()}`}`;
};

const maxBlocks = 20_000;

/**
 * An XFA form as it would be shown: its texts and the captions of its fields with their values, in their order. What the
 * data hold besides is listed by its names.
 */
export const readXfaForm = (template: string | null, data: string | null): Block[] => {
  const listed = data === null ? [] : readXmlData(topOf(data)).blocks;
  const form = template === null ? null : descendant(readMarkup(template, "xml"), "template");
  if (form === null) return listed;
  const root = data === null ? null : descendant(readMarkup(data, "xml"), "xfa:data");
  const lines: string[] = [];
  const used = new Set<MarkupElement>();
  /** A text just before a field without a caption is its name. */
  let isText = false;

  const say = (label: string, value: string): void => {
    if (value === "" && label === "") return;
    if (isText && label === "") lines.push(`${(lines.pop() ?? "").replace(/:$/, "")}: ${value}`);
    else lines.push(value === "" ? label : `${label.replace(/:$/, "")}: ${value}`);
    isText = false;
  };

  const show = (element: MarkupElement, at: MarkupElement | null): void => {
    for (const part of childElements(element)) {
      if (lines.length > maxBlocks || /^(?:hidden|invisible)$/.test(part.attributes.presence ?? "")) continue;
      const name = part.attributes.name ?? "";
      const own = at === null || name === "" ? [] : childrenNamed(at, name);
      if (part.name === "draw") {
        const text = textIn(part);
        if (text !== "") lines.push(text);
        isText = text !== "";
      } else if (part.name === "field" || part.name === "exclGroup") {
        const held = own.find((one) => !used.has(one));
        if (held !== undefined) used.add(held);
        const value = held === undefined ? textIn(part) : oneLine(textOf(held));
        const hint = value === "" ? "" : oneLine(textOf(descendant(part, "toolTip"))) || (isText ? "" : name);
        say(captionOf(part) || hint, shownValue(part, value));
      } else if (/^(?:subform|subformSet|area)$/.test(part.name)) {
        if (own.length === 0) show(part, at);
        for (const instance of own) show(part, instance);
      }
    }
  };
  show(form, root);
  const said = new Set(["", ...lines.flatMap((line) => [line, line.slice(line.indexOf(": ") + 2)])]);
  const isComplete = root === null || leavesOf(root).every((leaf) => used.has(leaf) || said.has(oneLine(textOf(leaf))));
  const blocks = lines.map((text): Block => ({ kind: "paragraph", text }));
  return isComplete ? blocks : [...blocks, ...listed];
};

const leavesOf = (element: MarkupElement): MarkupElement[] => {
  const inner = childElements(element);
  return inner.length === 0 ? [element] : inner.flatMap(leavesOf);
};

const textIn = (element: MarkupElement): string => oneLine(textOf(childNamed(element, "value")));
const captionOf = (element: MarkupElement): string => {
  const caption = childNamed(element, "caption");
  return caption === null ? "" : textIn(caption);
};

/** What a form shows for a value: the text of a choice, the caption of the chosen button, a box. */
const shownValue = (field: MarkupElement, value: string): string => {
  if (field.name === "exclGroup") {
    const chosen = childrenNamed(field, "field").find((one) => itemsOf(one)[0]?.[0] === value);
    return chosen === undefined ? value : captionOf(chosen) || value;
  }
  const lists = itemsOf(field);
  if (descendant(field, "checkButton") !== null) return value !== "" && value === lists[0]?.[0] ? "☒" : "☐";
  const [shown = [], stored = shown] = lists;
  return shown[stored.indexOf(value)] ?? value;
};

/** The choices of a field: as they are shown, and where that differs, as they are stored. */
const itemsOf = (field: MarkupElement): string[][] =>
  childrenNamed(field, "items")
    .toSorted((a, b) => Number(a.attributes.save ?? 0) - Number(b.attributes.save ?? 0))
    .map((items) => childElements(items).map((item) => oneLine(textOf(item))));
