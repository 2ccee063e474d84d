import { format } from "numfmt";

/** A cell's value as the file stores it; null for an empty one. */
export type CellValue = number | string | null;

/** A value, or the rows of a range. */
export type Argument = CellValue | readonly (readonly CellValue[])[];

/** What cannot be computed here: another function, what changes from day to day, a circle. */
export class NotComputed extends Error {}
/** What a spreadsheet shows as an error: a division by zero, a text among numbers, a value that is not found. */
export class CellError extends NotComputed {}

export const maxTextCharacters = 32_767;

/** Numbers are less than texts, which are compared without case; an empty cell is a zero or an empty text. */
export const order = (a: CellValue, b: CellValue): number => {
  if (typeof a === "string" || typeof b === "string") {
    if (typeof a === "number" || typeof b === "number") return typeof a === "number" ? -1 : 1;
    const [one, two] = [(a ?? "").toLowerCase(), (b ?? "").toLowerCase()];
    return one === two ? 0 : one < two ? -1 : 1;
  }
  return (a ?? 0) - (b ?? 0);
};

export const finite = (value: number): number => {
  if (!Number.isFinite(value)) throw new CellError();
  return value;
};

/** In arithmetic, an empty cell is a zero and a text an error. */
export const number = (value: CellValue): number => {
  if (value === null) return 0;
  if (typeof value !== "number") throw new CellError();
  return value;
};

export const textOf = (value: CellValue): string =>
  typeof value === "number" ? String(Number(value.toPrecision(15))) : (value ?? "");

const isRange = (argument: Argument): argument is readonly (readonly CellValue[])[] => Array.isArray(argument);
const cellsOf = (argument: Argument = null): readonly CellValue[] => (isRange(argument) ? argument.flat() : [argument]);
const rowsOf = (argument: Argument = null): readonly (readonly CellValue[])[] =>
  isRange(argument) ? argument : [[argument]];

/** The numbers of ranges, their texts and empty cells left out; of values, a text is an error. */
const numbersOf = (all: readonly Argument[]): number[] =>
  all.flatMap((one) => {
    if (isRange(one)) return one.flat().filter((value) => typeof value === "number");
    return one === null ? [] : [number(one)];
  });

const sum = (values: readonly number[]): number => finite(values.reduce((total, value) => total + value, 0));
/** Zero where there are none, as in spreadsheets. */
const extremeOf = (values: readonly number[], which: (one: number, other: number) => number): number =>
  values.reduce((found, value) => which(found, value), values[0] ?? 0);
const mean = (values: readonly number[]): number => finite(sum(values) / values.length);
const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[sorted.length / 2 - 1] ?? Number.NaN)) / 2;
};
const truth = (is: boolean): CellValue => (is ? "TRUE" : "FALSE");
const isTrue = (value: CellValue): boolean => value === "TRUE" || (value !== "FALSE" && number(value) !== 0);

/** Halves away from zero, as in spreadsheets. */
const rounded = (value: number, digits: number, round: (value: number) => number): number => {
  if (!Number.isInteger(digits) || Math.abs(digits) > 15) throw new NotComputed();
  const whole = Number(`${Number(Math.abs(value).toPrecision(15))}e${digits}`);
  return finite(Math.sign(value) * Number(`${round(whole)}e${-digits}`));
};

const maxComparisons = 20_000;

/** Whether a text is as one with `*` for any letters and `?` for any one, after `~` for themselves; without case. */
const isLike = (text: string, pattern: string): boolean => {
  const wanted = pattern.toLowerCase().match(/~[*?~]|[\s\S]/gu) ?? [];
  const letters = [...text.toLowerCase()];
  if (wanted.length * letters.length > maxComparisons) throw new NotComputed();
  let [at, from, star, restart] = [0, 0, -1, 0];
  while (from < letters.length) {
    const sign = wanted[at];
    if (sign === "*") [star, restart, at] = [at, from, at + 1];
    else if (sign !== undefined && (sign === "?" || sign.at(-1) === letters[from])) [at, from] = [at + 1, from + 1];
    else if (star >= 0) [at, restart, from] = [star + 1, restart + 1, restart + 1];
    else return false;
  }
  return wanted.slice(at).every((sign) => sign === "*");
};

/** Whether values meet a condition such as `>5`, `<>x`, `a*` or a value. */
const meets = (condition: CellValue): ((value: CellValue) => boolean) => {
  if (typeof condition !== "string") return (value) => (condition === null ? value === 0 : value === condition);
  const [, sign = "=", stated = ""] = /^(<>|<=|>=|<|>|=)?(.*)$/s.exec(condition) ?? [];
  const figure = stated.trim() === "" ? Number.NaN : Number(stated);
  // A date or a share, which a spreadsheet reads as a number.
  if (Number.isNaN(figure) && /^\d[\d.,/:%\s-]*$/.test(stated)) throw new NotComputed();
  const equals = (value: CellValue): boolean => {
    if (stated === "") return value === null || (value === "" && sign !== "=");
    if (!Number.isNaN(figure) && (typeof value === "number" || value?.trim() === stated))
      return Number(value) === figure;
    return typeof value === "string" && isLike(value, stated);
  };
  if (sign === "=") return stated === "" && condition === "" ? (value) => value === null || value === "" : equals;
  if (sign === "<>") return (value) => !equals(value);
  return (value) => {
    if (Number.isNaN(figure) ? typeof value !== "string" : typeof value !== "number") return false;
    const compared = order(value, Number.isNaN(figure) ? stated : figure);
    return compared < 0 ? sign[0] === "<" : compared > 0 ? sign[0] === ">" : sign.length === 2;
  };
};

/** The places whose cells meet all conditions, each of a range. */
const placesWhere = (pairs: readonly Argument[]): number[] => {
  if (pairs.length === 0 || pairs.length % 2 !== 0) throw new NotComputed();
  const length = cellsOf(pairs[0]).length;
  let places = Array.from({ length }, (_, place) => place);
  for (let at = 0; at < pairs.length; at += 2) {
    const [cells, condition] = [cellsOf(pairs[at]), meets(single(pairs[at + 1]))];
    if (cells.length !== length) throw new CellError();
    places = places.filter((place) => condition(cells[place] ?? null));
  }
  return places;
};

const numbersAt = (cells: readonly CellValue[], places: readonly number[]): number[] =>
  places.map((place) => cells[place]).filter((value) => typeof value === "number");

/** One value; where a range stands instead, nothing is computed. */
const single = (argument: Argument = null): CellValue => {
  if (!isRange(argument)) return argument;
  const [first = null, ...others] = argument.flat();
  if (others.length > 0) throw new NotComputed();
  return first;
};

/** Where a value stands: the same, or in rising order (`kind` 1) the last one that is not greater. */
const placeOf = (wanted: CellValue, cells: readonly CellValue[], kind: number): number => {
  if (kind !== 0 && kind !== 1) throw new NotComputed();
  const isSame = (value: CellValue): boolean =>
    typeof wanted === "string" ? typeof value === "string" && isLike(value, wanted) : value === wanted;
  const place =
    kind === 0
      ? cells.findIndex(isSame)
      : cells.findLastIndex((value) => typeof value === typeof wanted && order(value, wanted) <= 0);
  if (place < 0) throw new CellError();
  return place;
};

const lookedUp = ([wanted, table, number_, sorted = "TRUE"]: readonly Argument[], isAcross: boolean): CellValue => {
  const rows = rowsOf(table);
  const lines = isAcross ? (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? null)) : rows;
  const keys = lines.map(([key = null]) => key);
  const line = lines[placeOf(single(wanted), keys, isTrue(single(sorted)) ? 1 : 0)];
  const place = number(single(number_)) - 1;
  if (line === undefined || !(place in line)) throw new CellError();
  return line[place] ?? null;
};

const dayMs = 86_400_000;
const epoch = Date.UTC(1899, 11, 30);
/** Before March 1900, spreadsheets count a day that never was. */
const firstSafeDay = 61;
const dayOf = (value: CellValue): Date => {
  const serial = Math.floor(number(value));
  if (serial < firstSafeDay || serial > 2_958_465) throw new NotComputed();
  return new Date(epoch + serial * dayMs);
};
const serialOf = (year: number, month: number, day: number): number => {
  const serial = (Date.UTC(year, month, day) - epoch) / dayMs;
  if (!(serial >= firstSafeDay) || year < 1900) throw new NotComputed();
  return serial;
};
/** The same day some months further on, or the last one of a shorter month. */
const monthsOn = (value: CellValue, months: number, day: number): number => {
  const date = dayOf(value);
  const month = date.getUTCMonth() + Math.trunc(months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return serialOf(date.getUTCFullYear(), month, Math.min(day, last));
};

const lengthOf = (value: CellValue): number => {
  if (number(value) < 0) throw new CellError();
  return Math.floor(number(value));
};

/** Functions of values alone. */
const ofValues: Readonly<Record<string, (...values: CellValue[]) => CellValue>> = {
  ABS: (value = null) => Math.abs(number(value)),
  INT: (value = null) => Math.floor(number(value)),
  MOD: (value = null, by = null) => finite(number(value) - number(by) * Math.floor(number(value) / number(by))),
  POWER: (value = null, by = null) => finite(number(value) ** number(by)),
  SQRT: (value = null) => finite(Math.sqrt(number(value))),
  ROUND: (value = null, digits = null) => rounded(number(value), number(digits), Math.round),
  ROUNDUP: (value = null, digits = null) => rounded(number(value), number(digits), Math.ceil),
  ROUNDDOWN: (value = null, digits = null) => rounded(number(value), number(digits), Math.floor),
  TRUNC: (value = null, digits = null) => rounded(number(value), number(digits), Math.floor),
  NOT: (value = null) => truth(!isTrue(value)),
  TRUE: () => "TRUE",
  FALSE: () => "FALSE",
  LEN: (text = null) => textOf(text).length,
  LEFT: (text = null, count = 1) => textOf(text).slice(0, lengthOf(count)),
  RIGHT: (text = null, count = 1) => textOf(text).slice(Math.max(textOf(text).length - lengthOf(count), 0)),
  MID: (text = null, from = null, count = null) =>
    textOf(text)
      .slice(lengthOf(number(from) - 1))
      .slice(0, lengthOf(count)),
  TRIM: (text = null) => textOf(text).split(" ").filter(Boolean).join(" "),
  UPPER: (text = null) => textOf(text).toUpperCase(),
  LOWER: (text = null) => textOf(text).toLowerCase(),
  SUBSTITUTE: (text = null, from = null, to = null, which = null) => {
    if (which !== null || textOf(from) === "" || textOf(text).length * (textOf(to).length + 1) > maxTextCharacters)
      throw new NotComputed();
    return textOf(text).replaceAll(textOf(from), () => textOf(to));
  },
  TEXT: (value = null, code = null) => {
    if (typeof value === "string") return value;
    try {
      return format(textOf(code), value ?? 0);
    } catch {
      throw new NotComputed();
    }
  },
  DATE: (year = null, month = null, day = null) => serialOf(number(year), number(month) - 1, number(day)),
  YEAR: (day = null) => dayOf(day).getUTCFullYear(),
  MONTH: (day = null) => dayOf(day).getUTCMonth() + 1,
  DAY: (day = null) => dayOf(day).getUTCDate(),
  DAYS: (to = null, from = null) => number(to) - number(from),
  EDATE: (day = null, months = null) => monthsOn(day, number(months), dayOf(day).getUTCDate()),
  EOMONTH: (day = null, months = null) => monthsOn(day, number(months), 31),
};

/** Functions of values and ranges. */
const ofRanges: Readonly<Record<string, (all: readonly Argument[]) => CellValue>> = {
  SUM: (all) => sum(numbersOf(all)),
  AVERAGE: (all) => mean(numbersOf(all)),
  PRODUCT: (all) => finite(numbersOf(all).reduce((total, value) => total * value, 1)),
  MIN: (all) => extremeOf(numbersOf(all), Math.min),
  MAX: (all) => extremeOf(numbersOf(all), Math.max),
  MEDIAN: (all) => finite(median(numbersOf(all))),
  COUNT: (all) => all.flatMap(cellsOf).filter((value) => typeof value === "number").length,
  COUNTA: (all) => all.flatMap(cellsOf).filter((value) => value !== null).length,
  COUNTBLANK: (all) => all.flatMap(cellsOf).filter((value) => value === null || value === "").length,
  AND: (all) => truth(all.flatMap(cellsOf).every((value) => value === null || isTrue(value))),
  OR: (all) => truth(all.flatMap(cellsOf).some((value) => value !== null && isTrue(value))),
  CONCAT: (all) => all.flatMap(cellsOf).map(textOf).join("").slice(0, maxTextCharacters),
  SUMPRODUCT: (all) =>
    sum(
      cellsOf(all[0]).map((_, at) =>
        all.reduce((total: number, one) => total * (numbersAt(cellsOf(one), [at])[0] ?? 0), 1),
      ),
    ),
  COUNTIFS: (all) => placesWhere(all).length,
  SUMIFS: ([cells, ...pairs]) => sum(numbersAt(cellsOf(cells), placesWhere(pairs))),
  AVERAGEIFS: ([cells, ...pairs]) => mean(numbersAt(cellsOf(cells), placesWhere(pairs))),
  SUMIF: ([cells = null, condition = null, own = cells]) =>
    sum(numbersAt(cellsOf(own), placesWhere([cells, condition]))),
  AVERAGEIF: ([cells = null, condition = null, own = cells]) =>
    mean(numbersAt(cellsOf(own), placesWhere([cells, condition]))),
  VLOOKUP: (all) => lookedUp(all, false),
  HLOOKUP: (all) => lookedUp(all, true),
  MATCH: ([wanted, cells, kind = 1]) => placeOf(single(wanted), cellsOf(cells), number(single(kind))) + 1,
  INDEX: ([table, row = null, column]) => {
    const rows = rowsOf(table);
    // Of one row or column, a place alone.
    const isFlat = column === undefined && (rows.length === 1 || rows[0]?.length === 1);
    const [down, across] = [number(single(row)), number(single(column ?? 1))];
    const found = isFlat ? cellsOf(table)[down - 1] : rows[down - 1]?.[across - 1];
    if (found === undefined) throw new NotComputed();
    return found;
  },
};
const otherNames: Readonly<Record<string, string>> = { CONCATENATE: "CONCAT", COUNTIF: "COUNTIFS" };
const ofDates = /^(?:DATE|YEAR|MONTH|DAY|EDATE|EOMONTH|TEXT)$/;

/** @throws NotComputed for a function that is not here, among them those that change from day to day; CellError */
export const calledFunction = (stated: string, all: readonly Argument[], is1904: boolean): CellValue => {
  const name = otherNames[stated] ?? stated;
  // Workbooks that count their days from 1904 are rare.
  if (is1904 && ofDates.test(name)) throw new NotComputed();
  if (Object.hasOwn(ofRanges, name)) return ofRanges[name]?.(all) ?? null;
  const own = Object.hasOwn(ofValues, name) ? ofValues[name] : undefined;
  if (own === undefined) throw new NotComputed();
  return own(...all.map(single));
};
