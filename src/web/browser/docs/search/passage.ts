/** A piece of a found text; the words that fit are marked. */
export interface Piece {
  text: string;
  isMarked: boolean;
}

const before = 40;
const maxCharacters = 140;

/** What stands around the first word that fits. @param terms in lower case */
export const passageOf = (text: string, terms: readonly string[]): Piece[] => {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = first <= before ? 0 : lower.indexOf(" ", first - before) + 1;
  const shown = text.slice(start, start + maxCharacters);
  const pieces: Piece[] = [{ text: `${start > 0 ? "… " : ""}`, isMarked: false }];
  for (let at = 0; at < shown.length; ) {
    const rest = shown.slice(at).toLowerCase();
    const next = terms
      .map((term) => ({ term, at: rest.indexOf(term) }))
      .filter((each) => each.at >= 0)
      .toSorted((a, b) => a.at - b.at || b.term.length - a.term.length)[0];
    if (next === undefined || next.term === "") {
      pieces.push({ text: shown.slice(at), isMarked: false });
      break;
    }
    pieces.push(
      { text: shown.slice(at, at + next.at), isMarked: false },
      { text: shown.slice(at + next.at, at + next.at + next.term.length), isMarked: true },
    );
    at += next.at + next.term.length;
  }
  if (start + maxCharacters < text.length) pieces.push({ text: " …", isMarked: false });
  return pieces.filter((piece) => piece.text !== "");
};
