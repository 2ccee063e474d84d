import { Lexer, type Token, type Tokens } from "marked";
import { table } from "./output.ts";

/** A paragraph may be printed up to here while the rest of it is written: a sentence ends, and a word begins. */
const sentenceEnd = /[.!?…]["')\]»”]{0,3}(?: ?\[\d{1,3}\]){0,9} (?=\p{L})/gu;
const controls = /[^\P{Cc}\n\t]+/gu;

/**
 * Prints Markdown as plain text while it arrives: a block once it is whole, a paragraph sentence by sentence. Tables have
 * aligned columns; one that is wider than `width` is printed row by row, a cell a line.
 */
export const createMarkdownPrinter = (write: (text: string) => void, width: number) => {
  let rest = "";
  let isFirst = true;
  /** Within a paragraph of which the beginning was printed. */
  let isInside = false;

  const print = (block: Token): void => {
    const text = blockText(block, width);
    if (text === "") return;
    write(isInside || isFirst ? text : `\n${text}`);
    isFirst = false;
    isInside = false;
  };

  const printSentences = (block: Token): void => {
    if (block.type !== "paragraph" || block.raw.includes("|")) return;
    const end = [...block.raw.matchAll(sentenceEnd)]
      .map(({ 0: found, index }) => index + found.length)
      .findLast((at) => isClosed(block.raw.slice(0, at)));
    if (end === undefined) return;
    const said = inlineText(Lexer.lexInline(block.raw.slice(0, end))).trimEnd();
    write(isInside || isFirst ? `${said} ` : `\n${said} `);
    isFirst = false;
    isInside = true;
    rest = rest.slice(end);
  };

  return {
    add(text: string): void {
      rest += text.replace(controls, " ");
      const blocks = Lexer.lex(rest);
      // The white space after a list may be the indentation of its next item.
      const lastAt = blocks.findLastIndex(({ type }) => type !== "space");
      const last = blocks[lastAt];
      for (const block of blocks.slice(0, Math.max(0, lastAt))) {
        print(block);
        // White space at the end of the last block may belong to it when more has come: its `raw` lacks that.
        rest = rest.slice(block.raw.length);
      }
      if (last !== undefined) printSentences(last);
    },
    /** What is left, when all has arrived. */
    end(): void {
      for (const block of Lexer.lex(rest)) print(block);
      if (isInside) write("\n");
      rest = "";
      isInside = false;
    },
  };
};

/** Whether emphasis, code and links that began in it have ended. */
const isClosed = (text: string): boolean =>
  ["**", "`", "__"].every((sign) => text.split(sign).length % 2 === 1) &&
  text.split("[").length === text.split("]").length;

/** A block with a line break at its end; empty if it shows nothing. */
const blockText = (block: Token, width: number): string => {
  switch (block.type) {
    case "space":
      return "";
    case "hr":
      return "---\n";
    case "code":
      return `${indented((block as Tokens.Code).text, "    ")}\n`;
    case "blockquote":
      return `${indented(blocksText((block as Tokens.Blockquote).tokens, width - 2), "> ")}\n`;
    case "list":
      return listText(block as Tokens.List, width);
    case "table":
      return tableText(block as Tokens.Table, width);
    default:
      return `${"tokens" in block && block.tokens !== undefined ? inlineText(block.tokens) : block.raw.trimEnd()}\n`;
  }
};

const blocksText = (blocks: readonly Token[], width: number): string =>
  blocks
    .map((block) => blockText(block, width))
    .filter((text) => text !== "")
    .join("")
    .trimEnd();

const indented = (text: string, sign: string): string =>
  text
    .split("\n")
    .map((line) => `${sign}${line}`.trimEnd())
    .join("\n");

const listText = ({ items, ordered, start }: Tokens.List, width: number): string =>
  items
    .map((item, at) => {
      const sign = ordered ? `${Number(start) + at}. ` : "- ";
      const box = item.task ? (item.checked ? "[x] " : "[ ] ") : "";
      const lines = blocksText(item.tokens, width - sign.length);
      return `${sign}${box}${indented(lines, " ".repeat(sign.length)).trimStart()}\n`;
    })
    .join("");

const tableText = ({ header, rows }: Tokens.Table, width: number): string => {
  const cells = (row: readonly Tokens.TableCell[]) => row.map(({ tokens }) => inlineText(tokens).replace(/\s+/g, " "));
  const head = cells(header);
  const all = rows.map(cells);
  const aligned = table(head, all);
  if (aligned.split("\n").every((line) => Bun.stringWidth(line) <= width)) return aligned;
  const named = (row: readonly string[]): string =>
    row.flatMap((cell, at) => (cell === "" ? [] : [head[at] ? `${head[at]}: ${cell}\n` : `${cell}\n`])).join("");
  return all.map(named).join("\n");
};

/** Text without its signs: a link is its text, with the address where that says something else. */
const inlineText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === "br") return "\n";
      if (token.type === "image") return (token as Tokens.Image).text;
      if (token.type === "link") return linkText(token as Tokens.Link);
      // Marked gives code as it is written.
      if (token.type === "codespan") return (token as Tokens.Codespan).text;
      if (token.type === "escape") return unescaped((token as Tokens.Escape).text);
      if ("tokens" in token && token.tokens !== undefined) return inlineText(token.tokens);
      return "text" in token ? unescaped(String(token.text)) : token.raw;
    })
    .join("");

const linkText = ({ href, tokens }: Tokens.Link): string => {
  const text = inlineText(tokens);
  return text === href || href === `mailto:${text}` || !/^(?:https?|mailto):/i.test(href) ? text : `${text} (${href})`;
};

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "");
