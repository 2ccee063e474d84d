interface PlacedWarning {
  text: string;
  /** The pages that it is about, as far as it names them; empty: it is about the document. */
  pages: number[];
}

/** Which pages a warning names: "Pages 3, 7: without text." */
export const placeWarning = (text: string): PlacedWarning => {
  const match = /^(?:Page|Pages|Slide) (\d{1,6}(?:, \d{1,6}){0,40})/.exec(text);
  return { text, pages: match?.[1] === undefined ? [] : match[1].split(", ").map(Number) };
};
