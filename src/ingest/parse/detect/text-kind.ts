import Papa from "papaparse";
import { kindOfTextName, kindOfTextType, type TextKind } from "../file-kind.ts";

/** How much of a text is looked at. */
const sampleLength = 32_768;

/**
 * Which kind of text this is. What the content shows wins; where it cannot tell, the declared type decides, then the
 * name, and last what the content looks like.
 */
export function detectTextKind(text: string, mimeType: string | null, name: string | null): TextKind {
  const head = text.slice(0, sampleLength).trimStart();
  const shown = shownByContent(head, text);
  if (shown) return shown;
  const named = name === null ? null : kindOfTextName(name);
  const declared = mimeType === null ? null : kindOfTextType(mimeType);
  const claimed = declared ?? named;
  if (claimed !== null && !contradicted(claimed, head)) return claimed;
  if (claimed !== null && declared !== null && named !== null && !contradicted(named, head)) return named;
  return claimed === null ? guessed(head) : "text";
}

/** Kinds that carry their own mark. */
function shownByContent(head: string, text: string): TextKind | null {
  if (head.startsWith("{\\rtf")) return "rtf";
  if (/^<\?xml[^>]*>\s*(<!--[\s\S]*?-->\s*)*(<!doctype\s+html|<html[\s>])/i.test(head)) return "html";
  if (/^(<!--[\s\S]*?-->\s*)*(<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])/i.test(head)) return "html";
  if (head.startsWith("<?xml")) return "xml";
  if (isMail(head)) return "email";
  return jsonKind(head, text);
}

/** At least three mail headers, one of which no memo has. */
function isMail(head: string): boolean {
  const block = /^(?:>?From [^\n]*\n)?((?:[!-9;-~]+:[^\n]*\r?\n(?:[ \t]+[^\n]*\r?\n)*)+)/.exec(head)?.[1];
  if (block === undefined) return false;
  const names = new Set([...block.matchAll(/^([!-9;-~]+):/gm)].map((match) => match[1]?.toLowerCase()));
  const known = ["from", "to", "subject", "date", "cc", "reply-to", "received", "mime-version", "message-id"];
  const certain = ["received", "mime-version", "message-id", "return-path", "dkim-signature"];
  return certain.some((name) => names.has(name)) && known.filter((name) => names.has(name)).length >= 2;
}

function jsonKind(head: string, text: string): TextKind | null {
  if (!/^[[{]/.test(head)) return null;
  if (isJson(text)) return "json";
  const lines = head
    .split("\n")
    .slice(0, -1)
    .filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.every((line) => /^\s*[[{]/.test(line) && isJson(line)) ? "jsonl" : null;
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

/** A claim that the content plainly denies; one that cannot be denied is believed. */
function contradicted(claimed: TextKind, head: string): boolean {
  switch (claimed) {
    case "rtf":
      return true;
    case "email":
      return !/^[!-9;-~]+:/.test(head) && !head.startsWith("From ");
    case "html":
      return !/<\/?[a-z][^>]*>/i.test(head);
    case "xml":
      return !/^</.test(head);
    default:
      return false;
  }
}

/** Text without any claim. */
function guessed(head: string): TextKind {
  if (/^<(?:p|div|h[1-6]|table|ul|ol|section|article|span|a|b|i|br|meta|title)\b[^>]*>/i.test(head)) return "html";
  if (/^<([A-Za-z_][\w.:-]*)[\s>][\s\S]*<\/\1\s*>\s*$/.test(head)) return "xml";
  const delimiter = tableDelimiter(head);
  if (delimiter) return delimiter === "\t" ? "tsv" : "csv";
  return /^#{1,6} \S|^```|\[[^\]\n]+\]\([^)\n]+\)|^\s*[-*] \[[ x]\] /m.test(head) ? "markdown" : "text";
}

/** The delimiter, where at least three lines all have the same three or more fields. */
function tableDelimiter(head: string): string | null {
  const whole = head.slice(0, head.lastIndexOf("\n") + 1) || head;
  const { data, meta } = Papa.parse<string[]>(whole, { delimitersToGuess: [",", "\t", ";", "|"], preview: 50 });
  const rows = data.filter((row) => row.some((cell) => cell !== ""));
  const width = rows[0]?.length ?? 0;
  return rows.length >= 3 && width >= 3 && rows.every((row) => row.length === width) ? meta.delimiter : null;
}
