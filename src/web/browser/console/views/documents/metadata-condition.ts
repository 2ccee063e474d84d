import type { JsonValue } from "../../../shared/api.ts";

/** One condition of a metadata filter, as it is chosen from a form. */
export interface MetadataCondition {
  key: string;
  operator: MetadataOperator;
  value: JsonValue;
}

export const metadataOperators = ["is", "isNot", "atLeast", "atMost"] as const;
export type MetadataOperator = (typeof metadataOperators)[number];

const apiNames: Record<Exclude<MetadataOperator, "is">, string> = { isNot: "$ne", atLeast: "$gte", atMost: "$lte" };

/** What a person typed, as the value it stands for: numbers, true, false and null are such; "2026" in quotes is text. */
export const typedValue = (text: string): JsonValue => {
  const trimmed = text.trim();
  if (/^(?:true|false|null|-?\d{1,15}(?:\.\d{1,15})?|"[^"]*")$/.test(trimmed)) {
    try {
      return JSON.parse(trimmed) as JsonValue;
    } catch {
      return trimmed; // a number such as 007
    }
  }
  return trimmed;
};

/** The API's filter as JSON text; empty without conditions. Of several conditions on a key, all hold. */
export const writeMetadata = (conditions: readonly MetadataCondition[]): string => {
  if (conditions.length === 0) return "";
  const filter = new Map<string, JsonValue>();
  for (const { key, operator, value } of conditions) {
    if (operator === "is") {
      filter.set(key, value);
      continue;
    }
    const before = filter.get(key);
    const operators = typeof before === "object" && before !== null && !Array.isArray(before) ? before : {};
    filter.set(key, { ...operators, [apiNames[operator]]: value });
  }
  return JSON.stringify(Object.fromEntries(filter));
};

/** The conditions of a filter in the address; none where it is no filter, or holds what the form does not know. */
export const readMetadata = (text: string): MetadataCondition[] => {
  let filter: unknown;
  try {
    filter = JSON.parse(text);
  } catch {
    return [];
  }
  if (typeof filter !== "object" || filter === null || Array.isArray(filter)) return [];
  return Object.entries(filter as Record<string, JsonValue>).flatMap(([key, value]): MetadataCondition[] => {
    if (typeof value !== "object" || value === null) return [{ key, operator: "is", value }];
    return Object.entries(value).flatMap(([name, operand]) => {
      const operator = metadataOperators.find((each) => each !== "is" && apiNames[each] === name);
      return operator === undefined ? [] : [{ key, operator, value: operand }];
    });
  });
};
