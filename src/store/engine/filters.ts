import type { Tenant } from "../../domain/records.ts";

/**
 * A string as an SQL literal: the one place where a value enters a filter. Doubling the quote is all that LanceDB's
 * dialect needs; backslashes, NUL, newlines and any Unicode stand for themselves. A lone surrogate becomes U+FFFD,
 * as it does in a stored column.
 */
export const quote = (value: string): string => `'${value.toWellFormed().replaceAll("'", "''")}'`;

export const equals = (column: string, value: string): string => `${column} = ${quote(value)}`;

/** `column IN (…)`; false for an empty list. */
export const isOneOf = (column: string, values: readonly string[]): string => {
  const [first] = values;
  if (first === undefined) return "false";
  return values.length === 1 ? equals(column, first) : `${column} IN (${values.map(quote).join(", ")})`;
};

/** The reverse, for `allOf`: false where there is no value to leave out. */
export const isNoneOf = (column: string, values: readonly string[]): string | false =>
  values.length > 0 && `NOT (${isOneOf(column, values)})`;

/** Joins the conditions that are given. Always at least one. */
export const allOf = (first: string, ...rest: (string | null | undefined | false)[]): string => {
  const given = [first, ...rest].filter((condition) => typeof condition === "string");
  return given.length === 1 ? first : given.map((condition) => `(${condition})`).join(" AND ");
};

/** What a tenant may see of a table with organizationId and partitionId. */
export const visibleTo = (tenant: Tenant): string =>
  allOf(
    equals("organizationId", tenant.organizationId),
    tenant.partitionId !== null && equals("partitionId", tenant.partitionId),
  );

/** The column folded in the same way as `foldCase` contains the text. */
export const contains = (foldedColumn: string, text: string): string =>
  `contains(${foldedColumn}, ${quote(foldCase(text))})`;

/** Case folding of searchable names: stored beside them, applied to what is searched for. */
export const foldCase = (text: string): string => text.normalize("NFC").toUpperCase().toLowerCase();
