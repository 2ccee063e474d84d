import type { Block } from "./blocks.ts";
import { unreadable } from "./blocks.ts";
import { oneLine, tidyText } from "./tidy-text.ts";

/** Structured data of any source: JSON, YAML, XML. */
export type DataValue = string | DataValue[] | DataRecord;

interface DataRecord {
  entries: DataEntry[];
}

export interface DataEntry {
  key: string;
  value: DataValue;
  /** For example, a YAML comment. */
  comment?: string;
}

const maxDepth = 60;
/** A list of plain values up to this length is written on one line. */
const maxInlineCharacters = 200;
const maxTableColumns = 60;

/**
 * Data as Markdown: records with the same keys as a table, everything else as nested lists of `key: value`. The same
 * data comes out the same from JSON, YAML and XML.
 */
export const dataBlocks = (value: DataValue): Block[] => {
  if (typeof value === "string") return [{ kind: "paragraph", text: value }];
  const table = recordTable(value);
  if (table) return [table];
  const blocks: Block[] = [];
  if (Array.isArray(value)) {
    const parts = value.map((part) => (typeof part === "string" ? null : recordTable(part)));
    value.forEach((part, index) => {
      const inner = parts[index];
      if (inner) blocks.push(inner);
      else writeItem(blocks, part, 0);
    });
    return blocks;
  }
  for (const entry of value.entries) {
    const inner = typeof entry.value === "string" ? null : recordTable(entry.value);
    if (inner) blocks.push({ kind: "paragraph", text: label(entry) }, inner);
    else writeEntry(blocks, entry, 0);
  }
  return blocks;
};

const isRecord = (value: DataValue): value is DataRecord => typeof value !== "string" && !Array.isArray(value);

/** Two or more flat records that share most of their keys, as a table. */
const recordTable = (value: DataValue): Block | null => {
  if (!Array.isArray(value) || value.length < 2) return null;
  const keys = new Map<string, number>();
  for (const record of value) {
    if (!isRecord(record) || record.entries.some((entry) => plainText(entry.value) === null)) return null;
    for (const { key } of record.entries) keys.set(key, (keys.get(key) ?? 0) + 1);
  }
  const names = [...keys.keys()];
  const filled = [...keys.values()].reduce((sum, count) => sum + count, 0);
  if (names.length < 2 || names.length > maxTableColumns || filled < names.length * value.length * 0.5) return null;
  const rows = value.map((record) => {
    const cells = new Map((record as DataRecord).entries.map((entry) => [entry.key, plainText(entry.value) ?? ""]));
    return names.map((name) => cells.get(name) ?? "");
  });
  return { kind: "table", rows: [names, ...rows] };
};

/** A value that fits on one line; null where it does not. */
const plainText = (value: DataValue): string | null => {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || !value.every((part) => typeof part === "string")) return null;
  const text = value.join(", ");
  return text.length <= maxInlineCharacters && !text.includes("\n") ? text : null;
};

const label = ({ key, comment }: DataEntry): string => (comment ? `${key}: (${oneLine(comment)})` : `${key}:`);

const writeEntry = (blocks: Block[], entry: DataEntry, depth: number): void => {
  const plain = plainText(entry.value);
  const comment = entry.comment ? ` (${oneLine(entry.comment)})` : "";
  if (plain !== null) {
    blocks.push({ kind: "item", depth, marker: "-", text: `${entry.key}: ${tidyText(plain)}${comment}` });
    return;
  }
  blocks.push({ kind: "item", depth, marker: "-", text: label(entry) });
  writeInner(blocks, entry.value, depth + 1);
};

const writeInner = (blocks: Block[], value: DataValue, depth: number): void => {
  if (depth > maxDepth) throw unreadable(`The data is nested deeper than ${maxDepth} levels.`);
  if (typeof value === "string") blocks.push({ kind: "item", depth, marker: "-", text: value });
  else if (Array.isArray(value)) for (const part of value) writeItem(blocks, part, depth);
  else for (const entry of value.entries) writeEntry(blocks, entry, depth);
};

/** One element of a list: a record's plain entries are lines of one item, the others follow below it. */
const writeItem = (blocks: Block[], value: DataValue, depth: number): void => {
  if (!isRecord(value)) {
    const plain = plainText(value);
    if (plain !== null) blocks.push({ kind: "item", depth, marker: "-", text: plain });
    else writeInner(blocks, value, depth + 1);
    return;
  }
  const lines: string[] = [];
  const rest: DataEntry[] = [];
  for (const entry of value.entries) {
    const plain = plainText(entry.value);
    if (plain === null) rest.push(entry);
    else lines.push(`${entry.key}: ${tidyText(plain)}`);
  }
  if (lines.length > 0) blocks.push({ kind: "item", depth, marker: "-", text: lines.join("\n") });
  for (const entry of rest) writeEntry(blocks, entry, lines.length > 0 ? depth + 1 : depth);
};
