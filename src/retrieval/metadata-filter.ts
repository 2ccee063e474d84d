import { ApiError, type FieldFault, invalidField } from "../domain/errors.ts";
import type { MetadataCondition, MetadataFilter, MetadataScalar } from "../store/contract.ts";
import { isJsonObject } from "../text/json-object.ts";

/** Each condition without an index is a scan of its own. */
const maxKeys = 32;
const maxValues = 200;
const maxTextCharacters = 65_536;
const maxKeyCharacters = 255;

const operators = ["$in", "$ne", "$gt", "$gte", "$lt", "$lte"] as const;
type Operator = (typeof operators)[number];

/**
 * The filter of a question or a list: a JSON object, or its text (query string, form). `{}` and null mean no filter.
 * Keys name top-level metadata; values are a scalar (equality) or operators: `$in`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte`.
 * @param path name of the field, for the error
 * @throws ApiError invalid_request that names every fault by its path, metadata_too_large
 */
export const parseMetadataFilter = (value: unknown, path = "metadata"): MetadataFilter | null => {
  const filter = typeof value === "string" ? parseText(value, path) : value;
  if (filter === null || filter === undefined) return null;
  if (!isJsonObject(filter)) throw invalidField(path, 'must be a JSON object such as {"source": "handbook"}');
  const entries = Object.entries(filter);
  if (entries.length === 0) return null;
  if (entries.length > maxKeys) throw invalidField(path, `must have at most ${maxKeys} keys`);

  const faults: FieldFault[] = [];
  const checked = entries.map(([key, condition]) => [
    key,
    checkCondition(condition, `${path}.${key.slice(0, maxKeyCharacters).toWellFormed()}`, key, faults),
  ]);
  const [first] = faults;
  if (first !== undefined) {
    throw new ApiError("invalid_request", `${first.path}: ${first.message}`, { errors: faults });
  }
  // fromEntries makes a key such as `__proto__` an ordinary one.
  return Object.fromEntries(checked) as MetadataFilter;
};

const parseText = (text: string, path: string): unknown => {
  if (text.length > maxTextCharacters) {
    throw new ApiError("metadata_too_large", `${path}: must be at most ${maxTextCharacters} characters long`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField(path, 'must be JSON text such as {"source": "handbook"}');
  }
};

const isWhole = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

const isScalar = (value: unknown): value is MetadataScalar =>
  value === null ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value)) ||
  (typeof value === "string" && isWhole(value) && value.length <= maxTextCharacters);

const checkCondition = (
  condition: unknown,
  path: string,
  key: string,
  faults: FieldFault[],
): MetadataCondition | undefined => {
  const fault = (message: string, at = path) => {
    faults.push({ path: at, message });
    return undefined;
  };
  if (key === "" || key.length > maxKeyCharacters || !isWhole(key)) {
    return fault(`the key must be 1 to ${maxKeyCharacters} characters of well-formed text`);
  }
  if (key.startsWith("$")) return fault('operators belong inside a key, as in {"year": {"$gte": 2020}}');
  if (isScalar(condition)) return condition;
  if (!isJsonObject(condition)) return fault("must be text, a number, true, false, null, or an object of operators");
  const entries = Object.entries(condition);
  if (entries.length === 0) return fault(`must hold an operator: ${operators.join(", ")}`);
  for (const [operator, operand] of entries) {
    const at = `${path}.${operator.slice(0, maxKeyCharacters).toWellFormed()}`;
    if (!isOperator(operator)) return fault(`is no operator: use ${operators.join(", ")}`, at);
    const message = faultOfOperand(operator, operand);
    if (message !== null) return fault(message, at);
  }
  return condition as MetadataCondition;
};

const isOperator = (text: string): text is Operator => (operators as readonly string[]).includes(text);

const faultOfOperand = (operator: Operator, operand: unknown): string | null => {
  switch (operator) {
    case "$in":
      return Array.isArray(operand) && operand.length <= maxValues && operand.every(isScalar)
        ? null
        : `must be a list of at most ${maxValues} texts, numbers, booleans or nulls`;
    case "$ne":
      return isScalar(operand) ? null : "must be text, a number, true, false or null";
    default:
      return isScalar(operand) && (typeof operand === "number" || typeof operand === "string")
        ? null
        : "must be a number or text";
  }
};
