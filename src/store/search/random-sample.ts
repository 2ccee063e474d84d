import { crc32 } from "../engine/row-checksum.ts";

/** More rows are read than wanted, for chance may pick fewer: by four standard deviations, and some. */
const spareOf = (wanted: number): number => 4 * Math.sqrt(wanted) + 8;
/** Of so many rows all are read: some 10 ms. */
const maxRead = 1_000;

/** Spreads the rows evenly over as many numbers: the end of a revision is random, and positions differ within it. */
const numbers = 1_000_003;
const factors = [15_485_863, 32_452_843, 49_979_687, 67_867_967];
const number = [
  "position * 7919",
  ...factors.map((factor, at) => `ascii(right(revision, ${at + 1})) * ${factor}`),
].join(" + ");

/**
 * Condition that each snippet meets by chance, so that about `wanted` of `total` do; null: all are read. A snippet meets
 * it today and after a restart alike: what is measured of a sample, and with it the order of a question's snippets, stays.
 * It costs nothing for the rows that it leaves out: a search for random places would read its way to each.
 */
export const byChance = (wanted: number, total: number): string | null => {
  const share = (wanted + spareOf(wanted)) / Math.max(1, total);
  return share >= 1 || total <= maxRead ? null : `(${number}) % ${numbers} < ${Math.ceil(share * numbers)}`;
};

/**
 * Some of these, at most `limit`, as if at random: the same of the same texts, so that every store of these documents judges
 * a question alike.
 */
export const pickByText = <T extends { readonly text: string }>(from: readonly T[], limit: number): T[] =>
  from
    .map((one) => ({ one, place: crc32(one.text) }))
    .sort((a, b) => a.place - b.place || (a.one.text < b.one.text ? -1 : 1))
    .slice(0, limit)
    .map(({ one }) => one);
