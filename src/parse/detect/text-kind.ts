import Papa from "papaparse";
import { kindOfTextName, kindOfTextType, type TextKind } from "./file-kind.ts";

/** How much of a text is looked at. */
const sampleCharacters = 32_768;
/** For a table's rows: the parser searches repeatedly for the end of quotes that are never closed. */
const tableSampleCharacters = 16_384;

/**
 * Which kind of text this is: by a signature in the content, else by the declared type, then by the name, and last by
 * what the content looks like. A name that only says that it is text is no claim against a table, and that type none
 * against a name.
 */
export const detectTextKind = (text: string, mimeType: string | null, name: string | null): TextKind => {
  const head = text.slice(0, sampleCharacters).trimStart();
  const shown = kindByContent(head, text);
  if (shown) return shown;
  const named = name === null ? null : kindOfTextName(name);
  const declared = mimeType === null ? null : kindOfTextType(mimeType);
  const claimed = mimeType === "text/plain" ? (named ?? declared) : (declared ?? named);
  if (claimed === "text" && isPlainName(name) && mimeType === null) return tableKind(head) ?? "text";
  if (claimed !== null && !isContradicted(claimed, head)) return claimed;
  if (claimed !== null && declared !== null && named !== null && !isContradicted(named, head)) return named;
  return claimed === null ? guessKind(head) : "text";
};

/** Kinds that the content itself shows. */
const kindByContent = (head: string, text: string): TextKind | null => {
  if (head.startsWith("{\\rtf")) return "rtf";
  if (/^<(?:!doctype\s+html|html[\s>])/i.test(afterComments(afterXmlDeclaration(head)))) return "html";
  if (/^<(?:head|body)[\s>]/i.test(afterComments(head))) return "html";
  if (head.startsWith("<?xml")) return "xml";
  if (/^BEGIN:VCARD\s/i.test(head)) return "card";
  if (/^BEGIN:VCALENDAR\s/i.test(head)) return "calendar";
  if (/^\ufeff?WEBVTT(?:\s|$)/.test(head) || isSubRip(head)) return "subtitles";
  if (/^[^\n]{0,200}\\documentclass\b/m.test(head.slice(0, 4_000)) && head.includes("\\begin{")) return "latex";
  if (isMailbox(head)) return "mailbox";
  if (isMail(head)) return "email";
  return jsonKind(head, text);
};

/** A number, and the times of the first line below it. */
const isSubRip = (head: string): boolean => /^\d{1,6}\r?\n\d{1,3}:\d{2}:\d{2},\d{1,3} --> \d/.test(head);

/** Characters of that line, and those at its end in which the year stands. */
const maxFromLine = 400;
const maxDateEnd = 30;

/** A line `From …` with a date before the first header. */
const isMailbox = (head: string): boolean =>
  head.startsWith("From ") &&
  /\d{4}/.test((head.split("\n", 1)[0] ?? "").slice(0, maxFromLine).slice(-maxDateEnd)) &&
  ["from", "subject", "date"].some((name) => mailHeaderNames(head).has(name));

/** At least two mail headers, one of which no memo has. */
const isMail = (head: string): boolean => {
  const names = mailHeaderNames(head);
  const known = [
    "from",
    "to",
    "subject",
    "date",
    "cc",
    "reply-to",
    "received",
    "mime-version",
    "message-id",
    "content-type",
  ];
  const certain = ["received", "mime-version", "message-id", "return-path", "dkim-signature"];
  return certain.some((name) => names.has(name)) && known.filter((name) => names.has(name)).length >= 2;
};

const jsonKind = (head: string, text: string): TextKind | null => {
  if (!/^[[{]/.test(head)) return null;
  const value = jsonOf(text);
  if (value !== undefined) return isNotebook(value) ? "notebook" : "json";
  const lines = head
    .split("\n")
    .slice(0, -1)
    .filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.every((line) => /^\s*[[{]/.test(line) && isJson(line)) ? "jsonl" : null;
};

const isJson = (text: string): boolean => jsonOf(text) !== undefined;

/** The object or list that a JSON text is; undefined for anything else. */
const jsonOf = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

/** A Jupyter notebook has cells and says which version of the format it is. */
const isNotebook = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "nbformat" in value && ("cells" in value || "worksheets" in value);

/** A claim that the content plainly denies; one that cannot be denied is believed. */
const isContradicted = (claimed: TextKind, head: string): boolean => {
  switch (claimed) {
    case "rtf":
      return true;
    case "email":
      return !/^[!-9;-~]+:/.test(head) && !head.startsWith("From ");
    case "html":
      return !holdsTag(head);
    case "mailbox":
      return !head.startsWith("From ");
    case "notebook":
    case "card":
    case "calendar":
      return true;
    case "subtitles":
      return !head.includes("-->");
    case "xml":
      return !/^</.test(head);
    default:
      return false;
  }
};

/** Text without any claim. */
const guessKind = (head: string): TextKind => {
  if (/^<(?:p|div|h[1-6]|table|ul|ol|section|article|span|a|b|i|br|meta|title)[\s/>]/i.test(head) && head.includes(">"))
    return "html";
  if (isOneElement(head)) return "xml";
  const table = tableKind(head);
  if (table) return table;
  return /^(?:#{1,6} \S|```|[ \t]*[-*] \[[ x]\] )/m.test(head) || holdsMarkdownLink(head) ? "markdown" : "text";
};

/** A name that says no more than that the file is text. */
const isPlainName = (name: string | null): boolean =>
  name === null || kindOfTextName(name) === null || /\.te?xt$/i.test(name);

/** The kind of table that the text is, where its rows all have the same number of fields. */
const tableKind = (text: string): "csv" | "tsv" | null => {
  const head = text.slice(0, tableSampleCharacters);
  const whole = (head.slice(0, head.lastIndexOf("\n") + 1) || head).trim();
  const { data, meta } = Papa.parse<string[]>(whole, { delimitersToGuess: [",", "\t", ";", "|"], preview: 50 });
  const rows = data.filter((row) => row.some((cell) => cell !== ""));
  const width = rows[0]?.length ?? 0;
  if (rows.length < 2 || width < 2 || rows.some((row) => row.length !== width)) return null;
  if (!(rows.length >= 3 && width >= 3) && !isSmallTable(rows)) return null;
  return meta.delimiter === "\t" ? "tsv" : "csv";
};

/** Two columns or two rows also occur in prose and code: here the fields must be short, without blanks around them. */
const isSmallTable = (rows: readonly (readonly string[])[]): boolean =>
  rows.length * (rows[0]?.length ?? 0) >= 6 &&
  (rows[0] ?? []).every((name) => /\p{L}/u.test(name)) &&
  rows.flat().every((field) => field.length <= 60 && !/^\s|\s$|[(){}<>=]|[.!?]$/.test(field));

/**
 * Features of a text's kind that a regular expression would find only by backtracking. Each of these functions makes
 * one pass over the text.
 */

/** The text after the comments and white space that it begins with. */
export const afterComments = (text: string): string => {
  let at = 0;
  for (;;) {
    while (at < text.length && /\s/.test(text[at] as string)) at++;
    if (!text.startsWith("<!--", at)) return text.slice(at);
    const end = text.indexOf("-->", at + 4);
    if (end < 0) return text.slice(at);
    at = end + 3;
  }
};

/** The text after an XML declaration; the text itself where it begins with none. */
const afterXmlDeclaration = (text: string): string => {
  if (!/^<\?xml/i.test(text)) return text;
  const end = text.indexOf(">");
  return end < 0 ? text : text.slice(end + 1);
};

/** Names of the mail headers that the text begins with, lower-case; a line `From …` of a mailbox may stand before. */
export const mailHeaderNames = (text: string): Set<string> => {
  const names = new Set<string>();
  const name = /([!-9;-~]+):/y;
  let start = /^>?From /.test(text) ? text.indexOf("\n") + 1 : 0;
  // A last line without its end may be cut off.
  for (let end = text.indexOf("\n", start); end >= 0; end = text.indexOf("\n", start)) {
    name.lastIndex = start;
    const found = name.exec(text)?.[1];
    const isContinued = names.size > 0 && (text[start] === " " || text[start] === "\t");
    if (found === undefined && !isContinued) break;
    if (found !== undefined) names.add(found.toLowerCase());
    start = end + 1;
  }
  return names;
};

/** Whether a tag is anywhere in the text. */
export const holdsTag = (text: string): boolean => {
  const start = text.search(/<\/?[a-z]/i);
  return start >= 0 && text.indexOf(">", start) >= 0;
};

/** Whether the text is one element from its first tag to its last. */
export const isOneElement = (text: string): boolean => {
  const name = /^<([A-Za-z_][\w.:-]*)[\s>]/.exec(text)?.[1];
  const whole = text.trimEnd();
  return name !== undefined && whole.endsWith(">") && whole.slice(0, -1).trimEnd().endsWith(`</${name}`);
};

/** Whether a Markdown link (`[text](target)`) is on a line of the text. */
export const holdsMarkdownLink = (text: string): boolean => {
  const closing = /[)\n]/g;
  /** The first `)` or end of line at or after the target's begin. */
  let close = -1;
  for (let middle = text.indexOf("]("); middle >= 0; middle = text.indexOf("](", middle + 1)) {
    let hasLabel = false;
    for (let at = middle - 1; at >= 0 && text[at] !== "]" && text[at] !== "\n" && !hasLabel; at--)
      hasLabel = text[at] === "[" && at < middle - 1;
    if (close < middle + 2) {
      closing.lastIndex = middle + 2;
      close = closing.exec(text)?.index ?? text.length;
    }
    if (hasLabel && text[close] === ")" && close > middle + 2) return true;
  }
  return false;
};
