import type { Block, Content } from "../../blocks/blocks.ts";
import { loweredText, markdownLink, oneLine, raisedText, superscript, tidyTitle } from "../../blocks/tidy-text.ts";
import { BlockWriter, RtfDecoder, rtfSymbols } from "./characters.ts";
import { applyFormat, type GroupState, initialState, isIgnoredDestination } from "./group-state.ts";

/** A text that is built of pieces. With a plain string, changing its end after each piece would copy all of it. */
class TextPieces {
  private pieces: string[] = [];

  /** Where the next piece begins, for `takeFrom`. */
  get end(): number {
    return this.pieces.length;
  }

  /** The piece that it ends with. */
  get tail(): string {
    return this.pieces.at(-1) ?? "";
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

/** What rich text is made of (RTF 1.9.1, "RTF Syntax"), in the file's order. */
interface RtfHandler {
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
const readTokens = (rtf: string, handler: RtfHandler): void => {
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

/** Deeper groups keep the state of the one at this depth. */
const maxDepth = 5_000;

/** Rich text. @param rtf the file's bytes as Latin-1, one character a byte */
export const readRtf = (rtf: string): Content => {
  const reader = new RtfReader();
  readTokens(rtf, reader);
  const blocks = reader.end();
  return { title: tidyTitle(reader.title()), blocks, warnings: [] };
};

/** Texts that are gathered until what they belong to ends. */
const gatheredTexts = () => ({
  /** The paragraph or cell that is being read. */
  text: new TextPieces(),
  note: new TextPieces(),
  title: new TextPieces(),
  /** A list item's mark. */
  marker: new TextPieces(),
  /** A style's name with what follows it. */
  styles: new TextPieces(),
  /** What a field does. */
  instruction: new TextPieces(),
});

class RtfReader implements RtfHandler {
  private readonly writer = new BlockWriter();
  private readonly decoder = new RtfDecoder();
  private readonly outerStates: GroupState[] = [];
  private state = initialState();
  private readonly gathered = gatheredTexts();
  private readonly notes: string[] = [];
  /** What stands beside the text: headers, footers, comments. */
  private readonly beside = { header: new Set<string>(), footer: new Set<string>(), annotation: new Set<string>() };
  private gathering: "footnote" | "header" | "footer" | "annotation" = "footnote";
  /** Characters still to pass over after `\u`. */
  private skipping = 0;
  /** The group began with `\*`. */
  private isStarred = false;

  /** Once all of it is read. */
  title(): string {
    return this.gathered.title.take();
  }

  open(): void {
    this.flushBytes();
    if (this.outerStates.length < maxDepth) this.outerStates.push({ ...this.state });
    this.isStarred = false;
  }

  close(): void {
    this.flushBytes();
    const { destination, link, style } = this.state;
    if (destination === "styles") {
      const definition = this.gathered.styles.take();
      if (style !== null && definition !== "") this.writer.defineStyle(style, definition);
    }
    const outer = this.outerStates.pop() ?? this.state;
    if (destination === "note" && outer.destination !== "note") {
      const text = oneLine(this.gathered.note.take());
      if (this.gathering === "footnote") this.notes.push(text);
      else if (text !== "") this.beside[this.gathering].add(text);
    }
    if (link !== null && outer.link !== link) this.endLink(link);
    this.state = outer;
    this.decoder.useFont(outer.font);
    this.skipping = 0;
  }

  control(word: string, value: number | null): void {
    const { state } = this;
    this.flushBytes();
    if (isIgnoredDestination(word, this.isStarred)) state.destination = "skip";
    this.isStarred = false;
    if (state.destination === "skip" || applyFormat(state, word, value)) return;
    switch (word) {
      case "ansicpg":
        this.decoder.setCodePage(value ?? 1252);
        return;
      case "fonttbl":
        state.destination = "fonts";
        return;
      case "f":
        state.font = value ?? 0;
        if (state.destination === "fonts") this.decoder.beginFont(state.font);
        else this.decoder.useFont(state.font);
        return;
      case "fcharset":
        if (state.destination === "fonts") this.decoder.setFontCharset(value ?? 0);
        return;
      case "stylesheet":
        state.destination = "styles";
        return;
      case "info":
        state.destination = "info";
        return;
      case "title":
        if (state.destination === "info") state.destination = "title";
        return;
      case "listtext":
      case "pntext":
        state.destination = "marker";
        this.gathered.marker.take();
        return;
      case "footnote":
        this.gathering = "footnote";
        this.beginNote();
        return;
      case "annotation":
      case "header":
      case "headerl":
      case "headerr":
      case "headerf":
      case "footer":
      case "footerl":
      case "footerr":
      case "footerf":
        state.destination = state.destination === "text" ? "note" : "skip";
        if (state.destination === "note") this.gathering = /^(?:annotation|header|footer)/.exec(word)?.[0] as "header";
        return;
      case "fldinst":
        state.destination = "instruction";
        this.gathered.instruction.take();
        return;
      case "fldrslt":
        this.beginFieldResult();
        return;
      case "u":
        this.put(String.fromCharCode((value ?? 63) & 0xffff));
        this.skipping = state.substitutes;
        return;
      case "par":
      case "sect":
      case "page":
        this.endParagraph();
        return;
      case "cell":
      case "nestcell":
        this.writer.endCell(this.gathered.text.take());
        return;
      case "row":
        this.writer.endRow();
        return;
      case "trowd":
      case "clvmrg":
      case "clmrg":
      case "cellx":
        this.writer.defineRow(word, value);
        return;
      default: {
        const character = rtfSymbols.get(word);
        if (character !== undefined) this.put(character);
      }
    }
  }

  symbol(symbol: string): void {
    this.flushBytes();
    if (symbol === "*") this.isStarred = true;
    else if (symbol === "~") this.put(" ");
    else if (symbol === "_") this.put("-");
    else if (symbol === "\n" || symbol === "\r") this.endParagraph();
    else if (symbol === "\\" || symbol === "{" || symbol === "}") this.put(symbol);
  }

  byte(byte: number): void {
    if (this.skipping > 0) this.skipping--;
    else if (this.state.destination !== "skip") this.decoder.push(byte);
  }

  text(text: string): void {
    this.flushBytes();
    const skipped = Math.min(this.skipping, text.length);
    this.skipping -= skipped;
    this.put(this.decoder.raw(text.slice(skipped)));
  }

  end(): Block[] {
    this.flushBytes();
    if (this.writer.isInRow) this.writer.endRow();
    this.state.isInTable = false;
    this.endParagraph();
    const notes = this.notes.map((text, index): Block => ({ kind: "paragraph", text: `[^${index + 1}]: ${text}` }));
    const paragraphs = (texts: Iterable<string>, label = ""): Block[] =>
      [...texts].map((text) => ({ kind: "paragraph", text: `${label}${text}` }));
    const { header, footer, annotation } = this.beside;
    const blocks = this.writer.end();
    if (blocks.length === 0) return [];
    return [...paragraphs(header), ...blocks, ...paragraphs(footer), ...notes, ...paragraphs(annotation, "Comment: ")];
  }

  /** Puts the note's mark into the text; a note inside something else is ignored. */
  private beginNote(): void {
    const { state, gathered } = this;
    if (state.destination !== "text") {
      state.destination = "skip";
      return;
    }
    state.destination = "note";
    gathered.text.trimEnd();
    gathered.text.add(`[^${this.notes.length + 1}]`);
  }

  /** What a field shows; of links, its text becomes one when the group ends. */
  private beginFieldResult(): void {
    const target = /^\s*HYPERLINK\s+"([^"]+)"/.exec(this.gathered.instruction.take())?.[1];
    if (target !== undefined) this.state.link = { start: this.gathered[this.written].end, target };
  }

  private endLink({ start, target }: { start: number; target: string }): void {
    const text = this.gathered[this.written];
    const label = text.takeFrom(start);
    text.add(label.trim() === "" ? label : markdownLink(label, target));
  }

  /** Which text is being written: a note's or the document's. */
  private get written(): "note" | "text" {
    return this.state.destination === "note" ? "note" : "text";
  }

  private flushBytes(): void {
    const text = this.decoder.take();
    if (text !== "") this.put(text);
  }

  private put(text: string): void {
    const { destination, isHidden, height } = this.state;
    if (destination === "skip" || destination === "fonts" || destination === "info") return;
    if (isHidden && (destination === "note" || destination === "text")) return;
    const { tail } = this.gathered[destination];
    if (height === "super") this.gathered[destination].add(raisedText(text, tail));
    else if (height === "sub") this.gathered[destination].add(loweredText(text));
    else this.gathered[destination].add((height === "up" ? superscript(text.trim()) : null) ?? text);
  }

  private endParagraph(): void {
    const { state, gathered } = this;
    if (state.destination === "note") gathered.note.add(" ");
    if (state.destination !== "text") return;
    if (state.isInTable || this.writer.isInRow) {
      gathered.text.add(" ");
      return;
    }
    this.writer.endParagraph(gathered.text.take().trim(), oneLine(gathered.marker.take()), state);
  }
}
