/** The value as an object, whose members may be anything; null where it is none. */
export const objectIn = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;

/** Longest name of a model or capability that is believed, and most of them. */
const LONGEST_NAME = 512;
const MOST_NAMES = 10_000;

/** The value where it is a name; else null. */
export const nameIn = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value.length <= LONGEST_NAME ? value : null;

/** The names in a list; whatever else stands in it, or in its place, is passed over. */
export const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, MOST_NAMES).filter((entry) => nameIn(entry) !== null) : [];

/** The value as a size in tokens or numbers; null where it cannot be one. */
export const sizeIn = (value: unknown, least = 1): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value < 1e9 ? value : null;

/** No model has a smaller context, in tokens. */
const LEAST_CONTEXT = 64;

/** The value as the context of a model; null where it cannot be one. */
export const contextIn = (value: unknown): number | null => sizeIn(value, LEAST_CONTEXT);

/** The value as a count of tokens; null where it cannot be one. */
export const countIn = (value: unknown): number | null => sizeIn(value, 0);
