/** Settings of a change in a line: "name: Website search · role: reader". What is not set is left out. */
export const detailWords = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}: ${valueWords(value)}`)
    .join(" · ");

const valueWords = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(valueWords).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};
