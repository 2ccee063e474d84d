import { type Pixels, rowBytes } from "../../ocr/pnm.ts";

/** A picture as it is drawn on a page; `pixels` is null where it cannot be decoded. */
export interface PagePicture {
  pixels: Pixels | null;
  /** Clockwise quarter turns it is drawn with. */
  quarters: number;
  /** Left and right end of the picture's upper edge on the page, in points: x, y, x, y. */
  upperEdge: readonly number[];
  lowerEdge: readonly number[];
}

/** Edges less than this apart, in points, are the same: writers round. */
const sameEdge = 1;

/**
 * Joins scans that were saved in strips, as many scanners do: OCR cannot read a line of text that is cut in two.
 * Consecutive pictures are joined where each lies directly below, or above, the one before and has the same width.
 * @param maxPixels of a picture that is joined
 */
export const joinStrips = (pictures: readonly PagePicture[], maxPixels: number): PagePicture[] => {
  const groups: { strips: PagePicture[]; area: number }[] = [];
  for (const picture of pictures) {
    const group = groups.at(-1);
    const area = picture.pixels ? picture.pixels.width * picture.pixels.height : 0;
    const fits = group !== undefined && group.area + area <= maxPixels;
    if (fits && isBelow(picture, group.strips.at(-1))) group.strips.push(picture);
    else if (fits && isBelow(group.strips[0], picture)) group.strips.unshift(picture);
    else {
      groups.push({ strips: [picture], area });
      continue;
    }
    group.area += area;
  }
  return groups.map(({ strips }) => joined(strips));
};

/** Whether the upper edge of the one is the lower edge of the other, whatever their rotation. */
const isBelow = (lower: PagePicture | undefined, upper: PagePicture | undefined): boolean => {
  if (!lower?.pixels || !upper?.pixels) return false;
  const isOfOneKind = (["width", "channels", "isPacked"] as const).every(
    (property) => lower.pixels?.[property] === upper.pixels?.[property],
  );
  if (!isOfOneKind) return false;
  const isNear = (one: readonly number[], other: readonly number[]) =>
    one.every((value, axis) => Math.abs(value - (other[axis] ?? Number.NaN)) <= sameEdge);
  return isNear(lower.upperEdge, upper.lowerEdge);
};

const joined = (strips: readonly PagePicture[]): PagePicture => {
  const [first, last] = [strips[0] as PagePicture, strips.at(-1) as PagePicture];
  if (first.pixels === null || strips.length === 1) return first;
  const { width, channels, isPacked } = first.pixels;
  const bytes = rowBytes(first.pixels);
  const parts = strips.flatMap(({ pixels }) => (pixels ? [pixels] : []));
  const height = parts.reduce((sum, part) => sum + part.height, 0);
  const data = new Uint8Array(bytes * height).fill(255);
  let at = 0;
  for (const part of parts) {
    data.set(part.data.subarray(0, bytes * part.height), at);
    at += bytes * part.height;
  }
  const pixels: Pixels = { data, width, height, channels, isPacked };
  return { pixels, quarters: first.quarters, upperEdge: first.upperEdge, lowerEdge: last.lowerEdge };
};
