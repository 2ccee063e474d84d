import { settingsStrings } from "../strings.ts";

const words = settingsStrings.audit.details;
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
/** As the API writes times. */
const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Settings of a change in a line: "name: Website search · role: reader". What is not set is left out. */
export const detailWords = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${nameWords(name)}: ${valueWords(value)}`)
    .join(" · ");

const nameWords = (name: string): string => (Object.hasOwn(words, name) ? words[name as keyof typeof words] : name);

const valueWords = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(valueWords).join(", ");
  if (typeof value === "boolean") return settingsStrings.audit.truth[value ? "true" : "false"];
  if (typeof value === "string" && isTime.test(value)) return day.format(new Date(value));
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};
