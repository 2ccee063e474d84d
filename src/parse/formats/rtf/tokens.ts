/** What rich text is made of (RTF 1.9.1, "RTF Syntax"), in the file's order. */
export interface RtfHandler {
  /** The begin and the end of a group. */
  open(): void;
  close(): void;
  /** A control word with its number, if it has one. */
  control(word: string, value: number | null): void;
  /** A control of one character, such as `~`. */
  symbol(symbol: string): void;
  /** A byte of text, in the charset of its font. */
  byte(byte: number): void;
  text(text: string): void;
}

const token = /\\([a-zA-Z]+)(-?\d+)? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/y;

/** @param rtf the file's bytes as Latin-1, one character a byte */
export const readTokens = (rtf: string, handler: RtfHandler): void => {
  let at = 0;
  while (at < rtf.length) {
    token.lastIndex = at;
    const match = token.exec(rtf);
    if (!match) break;
    at = token.lastIndex;
    const [, word, parameter, hex, symbol, brace, text] = match;
    // This many bytes of a picture or other binary data follow.
    if (word === "bin") at += Math.max(0, Number(parameter ?? "0"));
    else if (word !== undefined) handler.control(word, parameter === undefined ? null : Number(parameter));
    else if (hex !== undefined) handler.byte(Number.parseInt(hex, 16));
    else if (symbol !== undefined) handler.symbol(symbol);
    else if (brace === "{") handler.open();
    else if (brace === "}") handler.close();
    else if (text !== undefined) handler.text(text);
  }
};
