import type { Block, Content } from "../../blocks/blocks.ts";
import { createIndents } from "../../blocks/indents.ts";
import { markdownLink } from "../../blocks/markdown-link.ts";
import { oneLine, tidyTitle } from "../../tidy-text.ts";
import { RtfDecoder, rtfSymbols } from "./characters.ts";

/** Groups whose text is not the document's. `*` groups not named below are passed over too. */
const passedOver = new Set(
  (
    "pict object header headerl headerr headerf footer footerl footerr footerf annotation atnid atnauthor colortbl " +
    "listtable listoverridetable rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl " +
    "filetbl revtbl pgptbl bkmkstart bkmkend tc xe nonshppict mmathPr wgrffmtfilter do"
  ).split(" "),
);
const understoodStar = new Set(["shppict", "pn", "listtext", "shpinst", "nesttableprops", "footnote", "fldinst"]);
const maxGroups = 5_000;
const token = /\\([a-zA-Z]+)(-?\d+)? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/y;

/** What a group changes and its end restores. */
interface State {
  destination: "text" | "skip" | "fonts" | "styles" | "title" | "info" | "marker" | "note" | "instruction";
  /** Characters after `\u` that stand in for it. */
  substitutes: number;
  font: number;
  inTable: boolean;
  level: number | null;
  style: number | null;
  isListItem: boolean;
  depth: number;
  /** Left indent of the paragraph and of its first line against it, in twips. */
  indent: number;
  firstIndent: number;
  isHidden: boolean;
  /** Where the result of a link's field begins in the text, and its target. */
  link: { start: number; target: string } | null;
}

/** A list item whose mark was typed, or written as text by a program. */
const typedMark = /^([•◦▪‣·–—-]|\(?(\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s+(?=\S)/;

/** Rich text. @param rtf the file's bytes as Latin-1, one character a byte */
export const readRtf = (rtf: string): Content => {
  const reader = new RtfReader();
  let at = 0;
  while (at < rtf.length) {
    token.lastIndex = at;
    const match = token.exec(rtf);
    if (!match) break;
    at = token.lastIndex;
    const [, word, parameter, hex, symbol, brace, text] = match;
    if (word === "bin") at += Math.max(0, Number(parameter ?? "0"));
    else if (word !== undefined) reader.control(word, parameter === undefined ? null : Number(parameter));
    else if (hex !== undefined) reader.byte(Number.parseInt(hex, 16));
    else if (symbol !== undefined) reader.symbol(symbol);
    else if (brace === "{") reader.open();
    else if (brace === "}") reader.close();
    else if (text !== undefined) reader.text(text);
  }
  return { title: tidyTitle(reader.title), blocks: reader.end(), warnings: [] };
};

class RtfReader {
  title = "";
  private readonly blocks: Block[] = [];
  private readonly stack: State[] = [];
  private state: State = {
    destination: "text",
    substitutes: 1,
    font: 0,
    inTable: false,
    level: null,
    style: null,
    isListItem: false,
    depth: 0,
    indent: 0,
    firstIndent: 0,
    isHidden: false,
    link: null,
  };
  private readonly decoder = new RtfDecoder();
  private readonly styles = new Map<number, string>();
  private skipping = 0;
  private starred = false;
  private pending = "";
  private note = "";
  private readonly notes: string[] = [];
  private instruction = "";
  private marker = "";
  private readonly indents = createIndents();
  private definition = "";
  private cells: string[] = [];
  private rows: string[][] = [];

  open(): void {
    this.flushBytes();
    if (this.stack.length < maxGroups) this.stack.push({ ...this.state });
    this.starred = false;
  }

  close(): void {
    this.flushBytes();
    const { destination, link } = this.state;
    if (destination === "styles") this.defineStyle();
    const outer = this.stack.pop() ?? this.state;
    if (destination === "note" && outer.destination !== "note") {
      this.notes.push(oneLine(this.note));
      this.note = "";
    }
    if (link !== null && outer.link !== link) this.endLink(link);
    this.state = outer;
    this.skipping = 0;
  }

  control(word: string, value: number | null): void {
    const { state } = this;
    this.flushBytes();
    if (this.starred) {
      this.starred = false;
      if (!understoodStar.has(word)) state.destination = "skip";
    }
    if (passedOver.has(word)) state.destination = "skip";
    if (state.destination === "skip") return;
    const on = value !== 0;
    switch (word) {
      case "ansicpg":
        this.decoder.setCodePage(value ?? 1252);
        return;
      case "fonttbl":
        state.destination = "fonts";
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
        this.marker = "";
        return;
      case "footnote":
        if (state.destination !== "text") {
          state.destination = "skip";
          return;
        }
        state.destination = "note";
        this.pending = `${this.pending.trimEnd()}[^${this.notes.length + 1}]`;
        return;
      case "fldinst":
        state.destination = "instruction";
        this.instruction = "";
        return;
      case "fldrslt": {
        const target = /^\s*HYPERLINK\s+"([^"]+)"/.exec(this.instruction)?.[1];
        this.instruction = "";
        if (target !== undefined) state.link = { start: this.written.length, target };
        return;
      }
      case "f":
        state.font = value ?? 0;
        if (state.destination === "fonts") this.decoder.beginFont(state.font);
        else this.decoder.useFont(state.font);
        return;
      case "fcharset":
        if (state.destination === "fonts") this.decoder.setFontCharset(value ?? 0);
        return;
      case "uc":
        state.substitutes = Math.max(0, value ?? 1);
        return;
      case "u":
        this.put(String.fromCharCode((value ?? 63) & 0xffff));
        this.skipping = state.substitutes;
        return;
      case "v":
      case "deleted":
        state.isHidden = on;
        return;
      case "plain":
        state.isHidden = false;
        return;
      case "pard":
        Object.assign(state, { inTable: false, level: null, style: null, isListItem: false, depth: 0 });
        Object.assign(state, { indent: 0, firstIndent: 0 });
        return;
      case "li":
        state.indent = value ?? 0;
        return;
      case "fi":
        state.firstIndent = value ?? 0;
        return;
      case "intbl":
        state.inTable = true;
        return;
      case "outlinelevel":
        state.level = value !== null && value < 9 ? value + 1 : null;
        return;
      case "s":
        state.style = value;
        return;
      case "ls":
        state.isListItem = true;
        return;
      case "ilvl":
        state.depth = value ?? 0;
        return;
      case "par":
      case "sect":
      case "page":
        this.endParagraph();
        return;
      case "cell":
      case "nestcell":
        this.cells.push(oneLine(this.pending));
        this.pending = "";
        return;
      case "row":
        this.rows.push(this.cells.splice(0));
        return;
      default: {
        const character = rtfSymbols.get(word);
        if (character !== undefined) this.put(character);
      }
    }
  }

  symbol(symbol: string): void {
    this.flushBytes();
    if (symbol === "*") this.starred = true;
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
    if (this.cells.length > 0) this.rows.push(this.cells.splice(0));
    this.state.inTable = false;
    this.endParagraph();
    this.flushTable();
    const notes = this.notes.map((text, index): Block => ({ kind: "paragraph", text: `[^${index + 1}]: ${text}` }));
    return [...this.blocks, ...notes];
  }

  /** The text that is being written: of a note or of the document. */
  private get written(): string {
    return this.state.destination === "note" ? this.note : this.pending;
  }

  private endLink({ start, target }: { start: number; target: string }): void {
    const text = this.written.slice(start);
    if (text.trim() === "") return;
    const linked = this.written.slice(0, start) + markdownLink(text, target);
    if (this.state.destination === "note") this.note = linked;
    else this.pending = linked;
  }

  private flushBytes(): void {
    const text = this.decoder.take();
    if (text !== "") this.put(text);
  }

  private put(text: string): void {
    const { destination, isHidden } = this.state;
    if (destination === "title") this.title += text;
    else if (destination === "styles") this.definition += text;
    else if (destination === "marker") this.marker += text;
    else if (destination === "instruction") this.instruction += text;
    else if (destination === "note" && !isHidden) this.note += text;
    else if (destination === "text" && !isHidden) this.pending += text;
  }

  private defineStyle(): void {
    const { style } = this.state;
    if (style !== null && this.definition !== "") this.styles.set(style, this.definition.replace(/;.*$/s, "").trim());
    this.definition = "";
  }

  private endParagraph(): void {
    const { state } = this;
    if (state.destination !== "text") {
      if (state.destination === "note") this.note += " ";
      return;
    }
    if (state.inTable || this.cells.length > 0) {
      this.pending += " ";
      return;
    }
    const text = this.pending.trim();
    this.pending = "";
    const marker = oneLine(this.marker);
    this.marker = "";
    if (text === "") return;
    this.flushTable();
    const styleName = this.styles.get(state.style ?? -1) ?? "";
    const level =
      state.level ?? (Number(/^heading (\d)/i.exec(styleName)?.[1] ?? (/^title$/i.test(styleName) ? 1 : 0)) || null);
    const typed = marker === "" && state.indent > 0 && state.firstIndent < 0 ? typedMark.exec(text) : null;
    if (level !== null) this.blocks.push({ kind: "heading", level, text: oneLine(`${marker} ${text}`) });
    else if (typed) {
      const depth = this.indents.depthAt(state.indent, typedStep);
      this.blocks.push({ kind: "item", depth, marker: markerOf(typed[1] ?? ""), text: text.slice(typed[0].length) });
    } else if (state.isListItem || marker !== "") {
      this.blocks.push({ kind: "item", depth: state.depth, marker: markerOf(marker), text });
    } else this.blocks.push({ kind: "paragraph", text });
    if (!typed) this.indents.reset();
  }

  private flushTable(): void {
    if (this.rows.length > 0) this.blocks.push({ kind: "table", rows: this.rows.splice(0) });
  }
}

/** A tenth of an inch. */
const typedStep = 144;

const markerOf = (mark: string): string =>
  /^\(?[\p{L}\d]{1,5}(\.\d+)*[.)]?$/u.test(mark) && /[.)]/.test(mark) ? mark : "-";
