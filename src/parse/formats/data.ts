import Papa from "papaparse";
import { isAlias, isMap, isNode, isPair, isScalar, isSeq, type Node, parseAllDocuments } from "yaml";
import { type Block, type Content, unreadable } from "../blocks/blocks.ts";
import { type DataEntry, type DataValue, dataBlocks } from "../blocks/data-blocks.ts";
import { rowBlocks } from "../blocks/sheet-blocks.ts";

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
