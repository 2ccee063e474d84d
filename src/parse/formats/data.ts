import Papa from "papaparse";
import { isAlias, isMap, isNode, isPair, isScalar, isSeq, type Node, parseAllDocuments } from "yaml";
import { type Block, type Content, unreadable } from "../blocks/blocks.ts";
import { rowBlocks } from "../blocks/sheet-blocks.ts";
import { oneLine, tidyText, tidyTitle } from "../blocks/tidy-text.ts";

/** JSON as tables and lists. @throws ApiError 422 for what is no JSON */
export const readJson = (text: string): Content => ({
  title: null,
  blocks: dataBlocks(parse(text.replace(/^\ufeff/, ""))),
  warnings: [],
});

/** One JSON value a line; lines that are none are left out with a warning. */
export const readJsonLines = (text: string): Content => {
  const warnings: string[] = [];
  const values: DataValue[] = [];
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "") return;
    try {
      values.push(asData(JSON.parse(line)));
    } catch {
      warnings.push(`Line ${index + 1} is no JSON and was left out.`);
    }
  });
  if (values.length === 0 && warnings.length > 0) throw unreadable("None of the lines is JSON.");
  return { title: null, blocks: dataBlocks(values), warnings };
};

const parse = (text: string): DataValue => {
  try {
    return asData(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof SyntaxError) throw unreadable("The file is no valid JSON.", cause);
    throw cause;
  }
};

/** A parsed JSON value as data; `null` is empty. */
const asData = (value: unknown): DataValue => {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(asData);
  if (typeof value === "object") {
    return { entries: Object.entries(value).map(([key, inner]) => ({ key, value: asData(inner) })) };
  }
  return String(value);
};

/** A table of comma-, semicolon-, tab- or bar-separated values; the delimiter is found unless given. */
export const readDelimited = (text: string, delimiter: "\t" | null): Content => {
  const stated = /^sep=(.)\r?\n/i.exec(text);
  const body = stated ? text.slice(stated[0].length) : text;
  const { data, errors } = Papa.parse<string[]>(body.replace(/^\ufeff/, "").trim(), {
    delimiter: stated?.[1] ?? delimiter ?? "",
    delimitersToGuess: [",", ";", "\t", "|"],
  });
  if (data.length === 0 && errors.length > 0) throw unreadable("The file is no table of separated values.");
  // One column is a list of lines.
  if (data.every((row) => row.length <= 1)) {
    return {
      title: null,
      blocks: [{ kind: "verbatim", text: data.map((row) => row[0] ?? "").join("\n") }],
      warnings: [],
    };
  }
  return { title: null, blocks: rowBlocks(data.map((cells, row) => ({ row, cells }))), warnings: [] };
};

/** References can multiply the size of a file ("billion laughs"): more values that come again are refused. */
const maxRepeatedValues = 200_000;

/** YAML as tables and lists with its comments; text that is not valid YAML is kept unchanged. */
export const readYaml = (text: string): Content => {
  const documents = parseAllDocuments(text, { logLevel: "silent", uniqueKeys: false, prettyErrors: false });
  if (!Array.isArray(documents) || documents.some((document) => document.errors.length > 0)) {
    return { title: null, blocks: [{ kind: "verbatim", text }], warnings: ["The file is no valid YAML."] };
  }
  const walk: Walk = { anchors: new Map(), repeatsLeft: maxRepeatedValues };
  const blocks = documents.flatMap((document): Block[] => {
    const comment = comments(document.commentBefore, (document.contents as Node | null)?.commentBefore);
    const value = convert(document.contents, walk);
    const head: Block[] = comment ? [{ kind: "paragraph", text: comment }] : [];
    return [...head, ...dataBlocks(value)];
  });
  return { title: null, blocks, warnings: [] };
};

const comments = (...parts: (string | null | undefined)[]): string =>
  parts
    .filter((part) => typeof part === "string")
    .join("\n")
    .split("\n")
    .map((line) => line.replace(/^[#\s]+/, "").trimEnd())
    .filter((line) => line !== "" && !/^[-=*#]+$/.test(line))
    .join("\n");

/** The state of a walk through a document. */
interface Walk {
  /** Nodes by anchor, the latest one: references come after what they refer to. */
  anchors: Map<string, unknown>;
  repeatsLeft: number;
}

/** @param isRepeated whether a reference leads here */
const convert = (node: unknown, walk: Walk, isRepeated = false): DataValue => {
  if (isRepeated && --walk.repeatsLeft < 0) throw unreadable("The YAML's references multiply to too many values.");
  if (isAlias(node)) return convert(walk.anchors.get(node.source), walk, true);
  if (isNode(node) && "anchor" in node && typeof node.anchor === "string") walk.anchors.set(node.anchor, node);
  if (isScalar(node)) return scalarText(node.value, node.source);
  if (isSeq(node)) return node.items.map((item) => convert(isPair(item) ? item.value : item, walk, isRepeated));
  if (!isMap(node)) return "";
  return {
    entries: node.items.map((pair): DataEntry => {
      const key = convert(pair.key, walk, isRepeated);
      const comment = comments(nodeComment(pair.key, "commentBefore"), nodeComment(pair.value, "comment"));
      const value = convert(pair.value, walk, isRepeated);
      return { key: typeof key === "string" ? key : "", value, ...(comment ? { comment } : {}) };
    }),
  };
};

const nodeComment = (node: unknown, key: "comment" | "commentBefore"): string | null | undefined =>
  typeof node === "object" && node !== null && key in node ? (node as Node)[key] : null;

/** Numbers as they were written: 1.10 is a version, not 1.1. */
const scalarText = (value: unknown, source: string | undefined): string => {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : (source ?? String(value));
};

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : Array.isArray(value)
      ? value.filter((line) => typeof line === "string").join("")
      : "";

/** A Jupyter notebook: its text, its code, and what the code put out as text; pictures are told of. */
export const readNotebook = (text: string): Content => {
  let notebook: unknown;
  try {
    notebook = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw unreadable("The notebook is no valid JSON.", cause);
  }
  if (!isRecord(notebook)) throw unreadable("The notebook has no cells.");
  const language = languageOf(notebook.metadata);
  const blocks: Block[] = [];
  let pictures = 0;
  const worksheets = Array.isArray(notebook.worksheets) ? notebook.worksheets : [];
  const cells = [notebook, ...worksheets].flatMap((sheet) =>
    isRecord(sheet) && Array.isArray(sheet.cells) ? sheet.cells : [],
  );
  for (const cell of cells) {
    if (!isRecord(cell)) continue;
    const source = textOf(cell.source ?? cell.input);
    if (cell.cell_type === "heading") blocks.push({ kind: "heading", level: Number(cell.level) || 1, text: source });
    else if (cell.cell_type !== "code") blocks.push({ kind: "verbatim", text: source });
    else {
      blocks.push({ kind: "code", language, text: source });
      for (const output of Array.isArray(cell.outputs) ? cell.outputs : []) {
        const { shown, isPicture } = outputOf(output);
        if (isPicture) pictures++;
        if (shown.trim() !== "") blocks.push({ kind: "code", language: "", text: shown });
      }
    }
  }
  const heading = blocks.find((block) => block.kind === "verbatim" && /^# \S/.test(block.text));
  const title = heading?.kind === "verbatim" ? (heading.text.split("\n")[0] ?? "").slice(2) : null;
  const what = pictures === 1 ? "1 picture" : `${pictures} pictures`;
  return {
    title: tidyTitle(title),
    blocks,
    warnings: pictures > 0 ? [`${what} of the notebook's output left out.`] : [],
  };
};

const languageOf = (metadata: unknown): string => {
  const info = isRecord(metadata) ? metadata.language_info : null;
  return isRecord(info) && typeof info.name === "string" && /^[\w+#-]{1,20}$/.test(info.name) ? info.name : "";
};

const outputOf = (output: unknown): { shown: string; isPicture: boolean } => {
  if (!isRecord(output)) return { shown: "", isPicture: false };
  const data = isRecord(output.data) ? output.data : {};
  const isPicture = Object.keys(data).some((type) => type.startsWith("image/"));
  if (output.output_type === "error")
    return { shown: `${textOf(output.ename)}: ${textOf(output.evalue)}`, isPicture: false };
  // Beside a picture the text only names its object.
  const plain = isPicture ? "" : textOf(data["text/plain"]);
  return { shown: textOf(output.text) || textOf(data["text/markdown"]) || plain, isPicture };
};

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

const isDataRecord = (value: DataValue): value is DataRecord => typeof value !== "string" && !Array.isArray(value);

/** Two or more flat records that share most of their keys, as a table. */
const recordTable = (value: DataValue): Block | null => {
  if (!Array.isArray(value) || value.length < 2) return null;
  const keys = new Map<string, number>();
  for (const record of value) {
    if (!isDataRecord(record) || record.entries.some((entry) => plainText(entry.value) === null)) return null;
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
  if (!isDataRecord(value)) {
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
