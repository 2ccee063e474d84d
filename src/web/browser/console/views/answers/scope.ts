import type { JsonValue } from "../../../shared/api.ts";

/** What a question is asked over; all that is given must hold. */
export interface Scope {
  partition: { id: string; name: string } | null;
  document: { id: string; name: string } | null;
  /** Conditions on metadata, as the API takes them; empty: none. */
  metadata: Record<string, JsonValue>;
}

export const everything: Scope = { partition: null, document: null, metadata: {} };

export const isEverything = ({ partition, document, metadata }: Scope): boolean =>
  partition === null && document === null && Object.keys(metadata).length === 0;

/** The fields of a question. */
export const scopeFields = ({ partition, document, metadata }: Scope): object => ({
  ...(partition === null ? {} : { partitionId: partition.id }),
  ...(document === null ? {} : { documentId: document.id }),
  ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
});

/** Signs of the conditions, and the API's names for them; equality has none. */
export const operators = { "=": null, "≠": "$ne", ">": "$gt", "≥": "$gte", "<": "$lt", "≤": "$lte" } as const;
export type Operator = keyof typeof operators;

export interface Condition {
  key: string;
  operator: Operator;
  /** As it is typed: `2024`, `true`, `"2024"`, `handbook`. */
  value: string;
}

/** A number, true, false and null are what they look like; anything else, and what is quoted, is text. */
const readValue = (text: string): JsonValue => {
  const trimmed = text.trim();
  try {
    const value: unknown = JSON.parse(trimmed);
    if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value as JsonValue;
  } catch {
    // It is text.
  }
  return trimmed;
};

/** The filter of some conditions; those without a key say nothing. */
export const toMetadata = (conditions: readonly Condition[]): Record<string, JsonValue> => {
  const metadata: Record<string, JsonValue> = {};
  for (const { key, operator, value } of conditions) {
    if (key.trim() === "") continue;
    const name = operators[operator];
    const before = metadata[key.trim()];
    const known = typeof before === "object" && before !== null && !Array.isArray(before) ? before : {};
    metadata[key.trim()] = name === null ? readValue(value) : { ...known, [name]: readValue(value) };
  }
  return metadata;
};

const shown = (value: JsonValue): string => (typeof value === "string" ? value : JSON.stringify(value));

/** A filter as conditions, to be changed; what has no condition of its own (`$in`) is left out. */
export const toConditions = (metadata: Record<string, JsonValue>): Condition[] =>
  Object.entries(metadata).flatMap(([key, wanted]) => {
    if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted))
      return [{ key, operator: "=" as const, value: shown(wanted) }];
    return (Object.keys(operators) as Operator[]).flatMap((operator) => {
      const name = operators[operator];
      const value = name === null ? undefined : (wanted as Record<string, JsonValue>)[name];
      return value === undefined ? [] : [{ key, operator, value: shown(value) }];
    });
  });

/** The address of a question in the console. */
export const askAddress = (question: string, scope: Scope): string => {
  const query = new URLSearchParams();
  if (question !== "") query.set("q", question);
  if (scope.document !== null) query.set("document", scope.document.id);
  if (scope.partition !== null) query.set("partition", scope.partition.id);
  if (Object.keys(scope.metadata).length > 0) query.set("metadata", JSON.stringify(scope.metadata));
  return query.size === 0 ? "/ask" : `/ask?${query}`;
};

/** What an address asks; names of its document and partition are not known yet. */
export const readAddress = (query: Record<string, string | undefined>): { question: string; scope: Scope } => {
  let metadata: Record<string, JsonValue> = {};
  try {
    const value: unknown = JSON.parse(query.metadata ?? "{}");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) metadata = value as typeof metadata;
  } catch {
    // An address that was cut: without the filter.
  }
  return {
    question: query.q ?? "",
    scope: {
      document: query.document ? { id: query.document, name: "" } : null,
      partition: query.partition ? { id: query.partition, name: "" } : null,
      metadata,
    },
  };
};
