/** A line of a text, without its line break. Offsets are UTF-16. */
export interface Line {
  start: number;
  /** Before the line break. */
  end: number;
  /** First character that is not white space; `end` for a blank line. */
  indent: number;
}

const isBlank = (unit: number): boolean =>
  unit === 32 ||
  unit === 9 ||
  unit === 13 ||
  unit === 11 ||
  unit === 12 ||
  unit === 160 ||
  unit === 0x3000 ||
  unit === 0xfeff;

/** The lines of a text, one at a time: a large text is never held as a list of lines. */
export function* linesOf(text: string): Generator<Line, void, void> {
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    let indent = start;
    while (indent < end && isBlank(text.charCodeAt(indent))) indent++;
    yield { start, end, indent };
    start = end + 1;
  }
}
