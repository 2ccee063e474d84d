import { crc32 } from "../engine/row-checksum.ts";

/** More rows are read than wanted, for chance may pick fewer: by four standard deviations, and some. */
const spareOf = (wanted: number): number => 4 * Math.sqrt(wanted) + 8;
/** Of so many rows all are read: some 10 ms. */
const maxRead = 1_000;

/**
 * Condition that each row meets by chance, so that about `wanted` of `total` do; null: all rows are read. It costs
 * nothing for the rows that it leaves out: a search for random places would read its way to each.
 */
export const byChance = (wanted: number, total: number): string | null => {
  const share = (wanted + spareOf(wanted)) / Math.max(1, total);
  return share >= 1 || total <= maxRead ? null : `random() < ${share.toFixed(12)}`;
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
