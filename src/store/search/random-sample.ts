/** More rows are read than wanted, for chance may pick fewer: by four standard deviations, and some. */
const spareOf = (wanted: number): number => 4 * Math.sqrt(wanted) + 8;

/**
 * Condition that each row meets by chance, so that about `wanted` of `total` do; null: all rows are wanted. It costs
 * nothing for the rows that it leaves out: a search for random places would read its way to each.
 */
export const byChance = (wanted: number, total: number): string | null => {
  const share = (wanted + spareOf(wanted)) / Math.max(1, total);
  return share >= 1 ? null : `random() < ${share.toFixed(12)}`;
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
