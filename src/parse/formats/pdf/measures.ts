/** A column with at least this many characters a line is running text, not cells (wide characters count double). */
export const columnCharacters = 15;

/** Rows further apart than this many font heights belong to different tables. */
export const maxRowPitch = 4;

/** Number of characters; those of East Asian scripts count double. */
export const textWidth = (text: string): number => {
  let width = 0;
  for (const character of text)
    width += /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/.test(character) ? 2 : 1;
  return width;
};

/** Median of some numbers: of an even count the upper one, of none 0. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};
