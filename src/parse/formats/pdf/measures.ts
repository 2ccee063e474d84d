/** A column is of running text, not of cells, from this many characters a line (wide characters count double). */
export const columnCharacters = 15;

/** Rows further apart than this many font heights are not of one table. */
export const maxRowPitch = 4;

/** Characters, those of East Asian scripts counted double. */
export const textWidth = (text: string): number => {
  let width = 0;
  for (const character of text)
    width += /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/.test(character) ? 2 : 1;
  return width;
};

/** The middle of some numbers, of two the larger; 0 of none. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};
