/**
 * A text that is built of pieces and knows how it ends. With a plain string, looking at its end after each piece would
 * copy all of it.
 */
export class GatheredText {
  private pieces: string[] = [];
  endsInSpace = false;
  /** The white space at the end contains a line break. */
  endsInBreak = false;

  get isEmpty(): boolean {
    return this.pieces.length === 0;
  }

  add(piece: string): void {
    if (piece === "") return;
    const end = piece.slice(piece.trimEnd().length);
    this.endsInBreak = end.includes("\n") || (end.length === piece.length && this.endsInBreak);
    this.endsInSpace = end !== "";
    this.pieces.push(piece);
  }

  /** Empties it. @returns the whole text */
  take(): string {
    const text = this.pieces.join("");
    this.pieces = [];
    this.endsInSpace = false;
    this.endsInBreak = false;
    return text;
  }
}
