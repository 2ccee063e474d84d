import type { JsonValue } from "../../shared/api.ts";

/** Conditions on the metadata of documents, as they are chosen, and the API's filter that says the same. */
export interface MetadataCondition {
  key: string;
  operator: MetadataOperator;
  value: JsonValue;
}

/** The API's names; equality has none. */
const apiNames = { is: null, isNot: "$ne", above: "$gt", atLeast: "$gte", below: "$lt", atMost: "$lte" } as const;

export type MetadataOperator = keyof typeof apiNames;

const operators = Object.keys(apiNames) as MetadataOperator[];

export type MetadataFilter = Record<string, JsonValue>;

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

/** The filter of some conditions. Of several on a key, all hold. */
export const filterOf = (conditions: readonly MetadataCondition[]): MetadataFilter => {
  const filter = new Map<string, JsonValue>();
  for (const { key, operator, value } of conditions) {
    const name = apiNames[operator];
    const before = filter.get(key);
    const known = typeof before === "object" && before !== null && !Array.isArray(before) ? before : {};
    filter.set(key, name === null ? value : { ...known, [name]: value });
  }
  return Object.fromEntries(filter);
};

/** The conditions of a filter; what none of them says (`$in`) is left out. */
export const conditionsOf = (filter: MetadataFilter): MetadataCondition[] =>
  Object.entries(filter).flatMap(([key, wanted]): MetadataCondition[] => {
    if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted))
      return [{ key, operator: "is", value: wanted }];
    return Object.entries(wanted).flatMap(([name, value]) => {
      const operator = operators.find((each) => apiNames[each] === name);
      return operator === undefined ? [] : [{ key, operator, value }];
    });
  });

/** The filter that an address holds as JSON text; empty where that is none, as in an address that was cut. */
export const readFilter = (text: string): MetadataFilter => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as MetadataFilter) : {};
  } catch {
    return {};
  }
};
