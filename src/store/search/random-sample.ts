/** More rows are read than wanted, for chance may pick fewer: by four standard deviations, and some. */
const spareOf = (wanted: number): number => 4 * Math.sqrt(wanted) + 8;

/** Spreads the rows evenly over as many numbers: the end of a revision is random, and positions differ within it. */
const numbers = 1_000_003;
const factors = [15_485_863, 32_452_843, 49_979_687, 67_867_967];
const number = [
  "position * 7919",
  ...factors.map((factor, at) => `ascii(right(revision, ${at + 1})) * ${factor}`),
].join(" + ");

/**
 * Condition that each snippet meets by chance, so that about `wanted` of `total` do; null: all are wanted. A snippet meets
 * it today and after a restart alike: what is measured of a sample, and with it the order of a question's snippets, stays.
 * It costs nothing for the rows that it leaves out: a search for random places would read its way to each.
 */
export const byChance = (wanted: number, total: number): string | null => {
  const share = (wanted + spareOf(wanted)) / Math.max(1, total);
  return share >= 1 ? null : `(${number}) % ${numbers} < ${Math.ceil(share * numbers)}`;
};

/** Some of these in random order, at most `limit`. */
export const pickRandom = <T>(from: readonly T[], limit: number): T[] => {
  const picked = [...from];
  const count = Math.min(limit, picked.length);
  for (let index = 0; index < count; index += 1) {
    const other = index + Math.floor(Math.random() * (picked.length - index));
    const [mine, theirs] = [picked[index], picked[other]];
    if (mine === undefined || theirs === undefined) continue;
    picked[index] = theirs;
    picked[other] = mine;
  }
  return picked.slice(0, count);
};
