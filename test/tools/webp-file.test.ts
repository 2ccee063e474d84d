import { expect, test } from "bun:test";
import { animatedWebp } from "../../tools/screenshots/webp-file.ts";

const chunk = (name: string, content: readonly number[]): number[] => [
  ...Buffer.from(name, "ascii"),
  ...[content.length, 0, 0, 0],
  ...content,
  ...(content.length % 2 === 1 ? [0] : []),
];
/** A still picture as an encoder writes it: a description, then pixels of an odd length. */
const picture = Uint8Array.from([
  ...chunk("RIFF", []).slice(0, 4),
  ...[0, 0, 0, 0],
  ...Buffer.from("WEBP", "ascii"),
  ...chunk("VP8X", Array<number>(10).fill(0)),
  ...chunk("VP8 ", [1, 2, 3]),
]);

test("an animation holds the pixels of its pictures, with place and time", () => {
  const bytes = Buffer.from(
    animatedWebp(300, 200, [
      { picture, x: 0, y: 0, width: 300, height: 200, durationMs: 700 },
      { picture, x: 258, y: 4, width: 2, height: 6, durationMs: 50 },
    ]),
  );
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
  expect(bytes.toString("ascii", 8, 16)).toBe("WEBPVP8X");
  expect([...bytes.subarray(20, 30)]).toEqual([2, 0, 0, 0, 43, 1, 0, 199, 0, 0]);
  expect(bytes.toString("ascii", 30, 34)).toBe("ANIM");
  const frame = (place: number[]): number[] => chunk("ANMF", [...place, ...chunk("VP8 ", [1, 2, 3])]);
  expect([...bytes.subarray(44)]).toEqual([
    ...frame([0, 0, 0, 0, 0, 0, 43, 1, 0, 199, 0, 0, 188, 2, 0, 2]),
    ...frame([129, 0, 0, 2, 0, 0, 1, 0, 0, 5, 0, 0, 50, 0, 0, 2]),
  ]);
});

test("what is no WebP is refused", () => {
  const frame = { picture: Buffer.from("PNG"), x: 0, y: 0, width: 1, height: 1, durationMs: 1 };
  expect(() => animatedWebp(1, 1, [frame])).toThrow("no WebP");
});
