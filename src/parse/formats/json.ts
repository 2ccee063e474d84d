import type { Content } from "../blocks/blocks.ts";
import { type DataValue, dataBlocks } from "../blocks/data-blocks.ts";
import { unreadable } from "../blocks/failure.ts";

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
