import { expect, test } from "bun:test";
import { joinStrips, type PagePicture } from "../../src/parse/formats/pdf/picture-strips.ts";

/** Two pixels wide and one high, over a box of a page in points. */
const strip = (value: number, [left, bottom, right, top]: readonly [number, number, number, number]): PagePicture => ({
  pixels: { data: new Uint8Array([value, value]), width: 2, height: 1, channels: 1, isPacked: false },
  quarters: 0,
  upperEdge: [left, top, right, top],
  lowerEdge: [left, bottom, right, bottom],
});
const read = (pictures: readonly PagePicture[], maxPixels = 100) =>
  joinStrips(pictures, maxPixels).map(({ pixels }) => pixels && [...(pixels.data as Uint8Array)]);

const first = strip(1, [0, 20, 100, 30]);
const second = strip(2, [0, 10.4, 100, 20]);
const third = strip(3, [0, 0, 100, 10]);

test("strips are joined from above to below, in whichever order they are drawn", () => {
  expect(read([first, second, third])).toEqual([[1, 1, 2, 2, 3, 3]]);
  expect(read([third, second, first])).toEqual([[1, 1, 2, 2, 3, 3]]);
  const [whole] = joinStrips([first, second, third], 100);
  expect(whole).toMatchObject({
    pixels: { width: 2, height: 3 },
    upperEdge: first.upperEdge,
    lowerEdge: third.lowerEdge,
  });
});

test("strips of a picture that stands turned are joined as well", () => {
  // By a quarter counterclockwise: what is above in the picture is left on the page.
  const turned = (value: number, x: number): PagePicture => ({
    ...strip(value, [0, 0, 0, 0]),
    quarters: 3,
    upperEdge: [x, 0, x, 100],
    lowerEdge: [x + 10, 0, x + 10, 100],
  });
  expect(read([turned(1, 0), turned(2, 10)])).toEqual([[1, 1, 2, 2]]);
});

test("pictures that are none of one scan stay apart", () => {
  const beside = strip(4, [100, 20, 200, 30]);
  const apart = strip(5, [0, 0, 100, 15]);
  const narrower = strip(6, [0, 10, 90, 20]);
  const bytes = { width: 2, height: 1, channels: 1, isPacked: false };
  const broken: PagePicture = { ...second, pixels: null };
  const finer: PagePicture = { ...second, pixels: { ...bytes, data: new Uint8Array(3), width: 3 } };
  const packed: PagePicture = { ...second, pixels: { ...bytes, data: new Uint8Array(1), isPacked: true } };
  for (const other of [beside, apart, narrower, first]) expect(read([first, other])).toHaveLength(2);
  expect(read([first, broken, third])).toEqual([[1, 1], null, [3, 3]]);
  for (const other of [finer, packed]) expect(read([first, other])).toHaveLength(2);
  expect(read([first, second, third], 4)).toEqual([
    [1, 1, 2, 2],
    [3, 3],
  ]);
  expect(read([])).toEqual([]);
});

test("strips of one bit a pixel are joined by their rows; what one lacks is white, what it has too much is left", () => {
  const bits = (data: number[], box: readonly [number, number, number, number]): PagePicture => ({
    ...strip(0, box),
    pixels: { data: new Uint8Array(data), width: 9, height: 2, channels: 1, isPacked: true },
  });
  const upper = bits([1, 0, 2], [0, 20, 100, 30]);
  const lower = bits([3, 0, 4, 0, 5], [0, 10, 100, 20]);
  expect(read([upper, lower])).toEqual([[1, 0, 2, 255, 3, 0, 4, 0]]);
});
