/** The value as an object, with unknown members; null if it is none. */
export const objectIn = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;

/** The value as a list, with unknown entries; empty if it is none. */
export const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The value as a text; empty if it is none. */
export const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

/** Longer names of models or capabilities are ignored, and so are more of them. */
const maxNameCharacters = 512;
const maxNames = 10_000;

/** The value if it is a name; else null. */
export const nameIn = (value: unknown): string | null =>
  typeof value === "string" && value !== "" && value.length <= maxNameCharacters ? value : null;

/** The names in a list; everything else in it is ignored. */
export const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, maxNames).filter((entry) => nameIn(entry) !== null) : [];

/** The value as a size in tokens or numbers; null if it cannot be one. */
export const sizeIn = (value: unknown, minimum = 1): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= minimum && value < 1e9 ? value : null;

/** No model has a smaller context, in tokens. */
const minContextTokens = 64;

/** The value as the context of a model; null if it cannot be one. */
export const contextIn = (value: unknown): number | null => sizeIn(value, minContextTokens);

/** The value as a count of tokens; null if it cannot be one. */
export const countIn = (value: unknown): number | null => sizeIn(value, 0);

/** The size in a text, `134.5M` or `smollm2:135m-instruct`, as a count of parameters; null if it names none. */
export const parametersIn = (text: string): number | null => {
  const [, amount, unit] = /(?<![\p{L}\d.])(\d{1,5}(?:\.\d{1,5})?)\s?([mb])(?![\p{L}\d])/iu.exec(text) ?? [];
  return amount === undefined ? null : Math.round(Number(amount) * (unit?.toLowerCase() === "b" ? 1e9 : 1e6));
};

/** The value as a count of parameters; null if it cannot be one. */
export const parameterCountIn = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) && value >= 1 ? Math.round(value) : null;
