import type { Tenant } from "../../domain/records.ts";

/**
 * A string as an SQL literal: the only place where a value enters a filter. LanceDB's dialect needs nothing but doubled
 * quotes; backslashes, NUL, newlines and any Unicode have no special meaning. A lone surrogate becomes U+FFFD, as in a
 * stored column.
 */
export const quote = (value: string): string => `'${value.toWellFormed().replaceAll("'", "''")}'`;

export const equals = (column: string, value: string): string => `${column} = ${quote(value)}`;

/** `column IN (…)`; false for an empty list. */
export const isOneOf = (column: string, values: readonly string[]): string => {
  const [first] = values;
  if (first === undefined) return "false";
  return values.length === 1 ? equals(column, first) : `${column} IN (${values.map(quote).join(", ")})`;
};

/** The reverse, for `allOf`: false if there is no value to exclude. */
export const isNoneOf = (column: string, values: readonly string[]): string | false =>
  values.length > 0 && `NOT (${isOneOf(column, values)})`;

/** Joins conditions with AND, without those that are false or null. */
export const allOf = (first: string, ...rest: (string | null | undefined | false)[]): string => {
  const given = [first, ...rest].filter((condition) => typeof condition === "string");
  return given.length === 1 ? first : given.map((condition) => `(${condition})`).join(" AND ");
};

/** The rows that a tenant may see, in a table with organizationId and partitionId. */
export const visibleTo = (tenant: Tenant): string =>
  allOf(
    equals("organizationId", tenant.organizationId),
    tenant.partitionId !== null && equals("partitionId", tenant.partitionId),
  );

/** The same of a record in memory. */
export const isVisibleTo =
  (tenant: Tenant) =>
  ({ organizationId, partitionId }: { organizationId: string; partitionId: string | null }): boolean =>
    organizationId === tenant.organizationId && (tenant.partitionId === null || partitionId === tenant.partitionId);

/** Whether a column that was folded with `foldCase` contains the text. */
export const contains = (foldedColumn: string, text: string): string => {
  const sought = foldCase(text);
  const column = oneCase
    .filter(([, one]) => sought.includes(one))
    .reduce((folded, [other, one]) => `replace(${folded}, ${quote(other)}, ${quote(one)})`, foldedColumn);
  return `contains(${column}, ${quote(sought)})`;
};

/**
 * Letters that a lower-cased capital may leave in two forms. Sigma is another letter at the end of a word: the beginning
 * of a name would not be found in it. Rows stored by earlier versions hold these letters, so `contains` folds them too,
 * where it matters: it triples the time.
 */
const oneCase = [
  ["ς", "σ"],
  ["ß", "ss"],
] as const;

/** Folds the case of searchable names and of the text that is searched in them. */
export const foldCase = (text: string): string =>
  oneCase.reduce(
    (folded, [other, one]) => folded.replaceAll(other, one),
    text.normalize("NFC").toUpperCase().toLowerCase(),
  );
