import type { Parser } from "htmlparser2";

/** UTF-16 units that the parser takes at a time. */
const maxPieceCharacters = 65_536;

/** Feeds a whole text to the parser and ends it. @param pause lets other work run after each piece */
export const writeInPieces = async (
  parser: Pick<Parser, "write" | "end">,
  text: string,
  pause: () => Promise<void>,
): Promise<void> => {
  for (let start = 0; start < text.length; start += maxPieceCharacters) {
    parser.write(text.slice(start, start + maxPieceCharacters));
    await pause();
  }
  parser.end();
};
