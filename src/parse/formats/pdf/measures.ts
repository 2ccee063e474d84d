/** A column with at least this many characters a line is running text, not cells (wide characters count double). */
export const columnCharacters = 15;

/** Rows further apart than this many font heights belong to different tables. */
export const maxRowPitch = 4;

/** A number with a sign, a currency or a percent sign. */
export const amount = /^[-–—+(]?\p{Sc}?\s?\d[\d.,:\s]*\)?\s?[%\p{Sc}]?$/u;

/** Number of characters; those of East Asian scripts count double. */
export const textWidth = (text: string): number => {
  let width = 0;
  for (const character of text)
    width += /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/.test(character) ? 2 : 1;
  return width;
};

/** A text on its baseline, in points. */
export interface PlacedText {
  text: string;
  x0: number;
  x1: number;
  /** Position of the baseline. */
  y: number;
  /** Height of the font. */
  size: number;
  /** That of most of its characters. */
  font: string;
}

/** Number of characters of some texts. */
export const charactersIn = (texts: readonly { text: string }[]): number =>
  texts.reduce((sum, { text }) => sum + text.length, 0);

/** What is counted most; of several the first one, of none undefined. */
export const mostCounted = <T>(counts: ReadonlyMap<T, number>): T | undefined =>
  [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];

/** Median of some numbers: of an even count the upper one, of none 0. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};
