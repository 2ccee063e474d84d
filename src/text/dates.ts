import { analyze } from "./analysis/analyze.ts";

/** Dates as people write them in twelve languages: names of months come from ICU, not from lists of our own. */

const languages = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "tr"];

/** The months by their names, long and short, in lower case; in some languages a date has another form of the name. */
const months: ReadonlyMap<string, number> = new Map(
  languages.flatMap((language) =>
    (["long", "short"] as const).flatMap((month) =>
      [{ month }, { month, day: "numeric" as const }].flatMap((parts) => {
        const format = new Intl.DateTimeFormat(language, { ...parts, timeZone: "UTC" });
        return Array.from({ length: 12 }, (_, index) => {
          const named = format.formatToParts(new Date(Date.UTC(2024, index, 15)));
          const name = named.find(({ type }) => type === "month")?.value ?? "";
          return [name.toLowerCase().replace(/\.$/, ""), index + 1] as const;
        });
      }),
    ),
  ),
);

/** Whether a text names a month. Names of three letters or fewer are words of other languages, or verbs ("may"). */
export const namesMonth = (text: string): boolean =>
  (text.toLowerCase().match(/\p{L}{4,12}/gu) ?? []).some((word) => months.has(word));

/** Months by the search terms of their long names, made with the first question. */
let byTerm: ReadonlyMap<string, number> | null = null;

/** The month that a search term is the name of, 1 to 12; null for any other term. */
export const monthOfTerm = (term: string): number | null => {
  byTerm ??= new Map(
    [...months]
      .filter(([name]) => name.length > 3)
      .flatMap(([name, month]) => analyze(name).map((each) => [each, month] as const)),
  );
  return byTerm.get(term) ?? null;
};

/** The month of a name, long or short, 1 to 12; null for any other word. */
export const monthNamed = (word: string): number | null => months.get(word.toLowerCase()) ?? null;

/** A month that a text names, with its year where it has one: "in May", "2025-05", "March 2026"; null where it names none, or a day. */
export const monthIn = (text: string): { month: number; year: number | null } | null => {
  if (datesIn(text).length > 0) return null;
  const iso = /(?<![\p{N}-])((?:19|20)\d\d)-(0[1-9]|1[0-2])(?![\p{N}-])/u.exec(text);
  if (iso !== null) return { month: Number(iso[2]), year: Number(iso[1]) };
  const words = text.toLowerCase().match(/\p{L}{4,12}/gu) ?? [];
  const month = words.map((word) => months.get(word)).find((each) => each !== undefined);
  const inMay = /(?<!\p{L})(?:in|of|im|vom|du|en|de|van|di) (?:may|mai|mei|maggio|mayo|maio)(?!\p{L})/iu.test(text)
    ? 5
    : undefined;
  const year = /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(text)?.[0];
  const named = month ?? inMay;
  return named === undefined ? null : { month: named, year: year === undefined ? null : Number(year) };
};

const isoDate = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?:[T ]\d.{0,24})?$/;
const dayFirst = /^(?:\p{L}{2,12}\.?,? )?(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})$/u;
const namedMonth = /^(?:\p{L}{2,12}\.?,? )?(\d{1,2})\.?(?: de| of)? (\p{L}{3,12})\.?(?: de)?,? (\d{4})$/u;
const monthFirst = /^(\p{L}{3,12})\.? (?:(\d{1,2})(?:st|nd|rd|th)?,? )?(\d{4})$/u;
const cjkDate = /^(\d{4})年(\d{1,2})月(?:(\d{1,2})日)?$/;

/** Epoch milliseconds of a text that is a date; null for anything else. A bare year is a number. */
export const dateOf = (cell: string): number | null => {
  const text = cell.trim().toLowerCase();
  const iso = isoDate.exec(text) ?? cjkDate.exec(text);
  if (iso !== null) return utc(Number(iso[1]), Number(iso[2]), Number(iso[3] ?? 1));
  const numeric = dayFirst.exec(text);
  if (numeric !== null) {
    const [day, month, year] = [Number(numeric[1]), Number(numeric[2]), Number(numeric[3])];
    const full = year < 100 ? 2000 + year : year;
    // 12/25/2024 can only be the month first.
    return month > 12 ? utc(full, day, month) : utc(full, month, day);
  }
  const named = namedMonth.exec(text);
  if (named !== null) return inMonth(named[2] ?? "", Number(named[1]), Number(named[3]));
  const first = monthFirst.exec(text);
  return first === null ? null : inMonth(first[1] ?? "", Number(first[2] ?? 1), Number(first[3]));
};

const written =
  /\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{1,2}\.?(?: de| of)? \p{L}{3,12}\.?(?: de)?,? \d{4}|\p{L}{3,12} \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{4}年\d{1,2}月(?:\d{1,2}日)?/gu;

/** The whole dates within a text, as they are written and as epoch milliseconds. */
export const datesIn = (text: string): { written: string; date: number }[] =>
  [...text.matchAll(written)].flatMap(([found]) => {
    const date = dateOf(found);
    return date === null ? [] : [{ written: found, date }];
  });

/** The first whole date within a text, as epoch milliseconds; else that of its first year; null where it has neither. */
export const firstDateIn = (text: string): number | null => {
  const [first] = datesIn(text);
  if (first !== undefined) return first.date;
  const year = /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(text)?.[0];
  return year === undefined ? null : utc(Number(year), 1, 1);
};

const inMonth = (name: string, day: number, year: number): number | null => {
  const month = monthNamed(name);
  return month === null ? null : utc(year, month, day);
};

const utc = (year: number, month: number, day: number): number | null =>
  month < 1 || month > 12 || day < 1 || day > 31 ? null : Date.UTC(year, month - 1, day);
