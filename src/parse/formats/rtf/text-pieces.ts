/** A text that is built of pieces. With a plain string, changing its end after each piece would copy all of it. */
export class TextPieces {
  private pieces: string[] = [];

  /** Where the next piece begins, for `takeFrom`. */
  get end(): number {
    return this.pieces.length;
  }

  add(piece: string): void {
    if (piece !== "") this.pieces.push(piece);
  }

  /** Leaves out the white space at its end. */
  trimEnd(): void {
    for (let last = this.pieces.pop(); last !== undefined; last = this.pieces.pop()) {
      const trimmed = last.trimEnd();
      if (trimmed === "") continue;
      this.pieces.push(trimmed);
      return;
    }
  }

  /** Takes off what was added since `end` was this. @returns empty where that is gone already */
  takeFrom(start: number): string {
    return this.pieces.splice(start).join("");
  }

  /** Empties it. @returns the whole text */
  take(): string {
    return this.takeFrom(0);
  }
}
