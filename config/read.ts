import { type Entry, emptySection } from "./entry.ts";
import { type ConfigFault, nearestName } from "./fault.ts";
import { Secret } from "./secret.ts";
import { expectation, type Shape } from "./shape.ts";

/** Stands for "take the default". */
const unset = Symbol("unset");

/** By the path of a list: the index in the file of each item that was kept. Items that cannot be read are left out. */
export type Positions = Map<string, number[]>;

/**
 * Turns entries into values that fit the schema. Faults are collected, not thrown; a value with a fault is replaced by
 * the default, so that all other faults are found too.
 */
export const readEntry = (
  shape: Shape,
  entry: Entry | undefined,
  path: string,
  faults: ConfigFault[],
  positions: Positions = new Map(),
): unknown => {
  if (shape.kind === "any" && entry !== undefined) return plainValue(entry);
  if (entry === undefined || (entry.kind === "scalar" && entry.value === null && entry.untyped))
    return initialOf(shape);
  if (shape.kind === "section") return readSection(shape, entry, path, faults, positions);
  if (shape.kind === "list") return readList(shape, entry, path, faults, positions);
  if (shape.kind === "object" && entry.kind === "section")
    return Object.fromEntries(
      [...entry.entries].map(([name, { entry: inner }]) => [
        name,
        readEntry(shape.item, inner, `${path}.${name}`, faults, positions),
      ]),
    );
  if (entry.kind !== "scalar") {
    faults.push({ where: entry.origin, path, message: `must be ${expectation(shape)}` });
    return initialOf(shape);
  }
  const value =
    entry.untyped && typeof entry.value === "string" ? typed(shape, entry.value) : asWritten(shape, entry.value);
  if (value === unset) return initialOf(shape);
  const message = objection(shape, value);
  if (message === null)
    return shape.kind === "text" && shape.secrecy === "whole" && typeof value === "string" ? new Secret(value) : value;
  faults.push({ where: entry.origin, path, message });
  return initialOf(shape);
};

/** Values that no shape describes are not checked. */
const plainValue = (entry: Entry): unknown => {
  if (entry.kind === "scalar") return entry.value;
  if (entry.kind === "list") return entry.items.map(plainValue);
  return Object.fromEntries([...entry.entries].map(([name, { entry: inner }]) => [name, plainValue(inner)]));
};

/** A number where a text of a form is expected that may be a number, as `keepAlive: -1`. */
const asWritten = <T>(shape: Shape, value: T): T | string =>
  shape.kind === "text" &&
  shape.pattern !== null &&
  typeof value === "number" &&
  new RegExp(shape.pattern).test(`${value}`)
    ? `${value}`
    : value;

const initialOf = (shape: Shape): unknown => {
  if (shape.kind === "section")
    return Object.fromEntries([...shape.keys].map(([name, inner]) => [name, initialOf(inner)]));
  return structuredClone(shape.initial);
};

const readSection = (
  shape: Shape & { kind: "section" },
  entry: Entry,
  path: string,
  faults: ConfigFault[],
  positions: Positions,
): Record<string, unknown> => {
  const entries = entry.kind === "section" ? entry.entries : new Map<string, { keyOrigin: string; entry: Entry }>();
  // `server:` with every key below it commented out is an empty section.
  if (entry.kind !== "section" && !(entry.kind === "scalar" && entry.value === null))
    faults.push({ where: entry.origin, path, message: `must be ${expectation(shape)}` });
  const inside = (name: string) => (path === "" ? name : `${path}.${name}`);
  for (const [name, { keyOrigin }] of entries) {
    if (shape.keys.has(name)) continue;
    const meant = nearestName(name, shape.keys.keys());
    const hint =
      meant === null ? `the keys here are ${[...shape.keys.keys()].join(", ")}` : `did you mean ${inside(meant)}?`;
    faults.push({ where: keyOrigin, path: inside(name), message: `is not a key of the configuration; ${hint}` });
  }
  return Object.fromEntries(
    [...shape.keys].map(([name, inner]) => {
      const given = entries.get(name)?.entry;
      if (given === undefined && inner.kind !== "section" && inner.initial === undefined)
        faults.push({ where: entry.origin, path: inside(name), message: `is missing: ${expectation(inner)}` });
      return [name, readEntry(inner, given, inside(name), faults, positions)];
    }),
  );
};

const readList = (
  shape: Shape & { kind: "list" },
  entry: Entry,
  path: string,
  faults: ConfigFault[],
  positions: Positions,
): unknown => {
  // `folders:` with every entry below it commented out.
  if (entry.kind === "scalar" && entry.value === null) return initialOf(shape);
  const isText = entry.kind === "scalar" && entry.untyped && typeof entry.value === "string";
  const items =
    entry.kind === "list" ? entry.items : isText ? splitList(shape.item, String(entry.value), entry.origin) : null;
  if (items === null) {
    faults.push({ where: entry.origin, path, message: `must be ${expectation(shape)}` });
    return initialOf(shape);
  }
  const kept: number[] = [];
  positions.set(path, kept);
  return items.flatMap((item, index) => {
    const before = faults.length;
    const value = readEntry(shape.item, item, `${path}[${index}]`, faults, positions);
    // A section with a fault is kept, and checked further, if it has defaults for all its faulty keys. An item without a
    // value takes a variable that is not set, which was reported when the file was read.
    const isKept = shape.item.kind === "section" ? hasAllKeys(value) : faults.length === before && value !== undefined;
    if (!isKept) return [];
    kept.push(index);
    return [value];
  });
};

const hasAllKeys = (section: unknown): boolean =>
  Object.values(section as Record<string, unknown>).every((value) => value !== undefined);

/**
 * A list in one variable: parts between commas. For a list of sections, each part is the first required key of one, or
 * the whole is a JSON array. @returns null for a broken array
 */
const splitList = (item: Shape, text: string, origin: string): Entry[] | null => {
  if (item.kind === "section" && text.trim().startsWith("[")) {
    try {
      const list = jsonEntry(JSON.parse(text), origin);
      return list.kind === "list" ? list.items : null;
    } catch {
      return null;
    }
  }
  const parts = text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  const scalar = (value: string): Entry => ({ kind: "scalar", origin, value, untyped: true });
  if (item.kind !== "section") return parts.map(scalar);
  const [required] = [...item.keys].flatMap(([name, shape]) => (shape.initial === undefined ? [name] : []));
  return parts.map((part) => ({
    kind: "section",
    origin,
    entries: new Map(required === undefined ? [] : [[required, { keyOrigin: origin, entry: scalar(part) }]]),
  }));
};

const jsonEntry = (value: unknown, origin: string): Entry => {
  if (Array.isArray(value)) return { kind: "list", origin, items: value.map((item) => jsonEntry(item, origin)) };
  if (typeof value === "object" && value !== null) {
    const section = emptySection(origin);
    for (const [name, inner] of Object.entries(value))
      section.entries.set(name, { keyOrigin: origin, entry: jsonEntry(inner, origin) });
    return section;
  }
  return { kind: "scalar", origin, value: value as string | number | boolean | null, untyped: false };
};

/** Text from the environment as the expected type. Empty text stays empty if allowed, else becomes null, else not set. */
const typed = (shape: Shape, text: string): unknown => {
  if (text === "" && !(shape.kind === "text" && shape.minLength === 0 && shape.pattern === null))
    return shape.nullable ? null : unset;
  if (shape.kind === "integer" && /^[+-]?\d+$/.test(text.trim())) return Number(text);
  if (shape.kind === "number" && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim())) return Number(text);
  if (shape.kind === "boolean" && /^(true|false)$/i.test(text.trim())) return text.trim().toLowerCase() === "true";
  return text;
};

/** Why the value is not accepted, or null. */
const objection = (shape: Shape, value: unknown): string | null => {
  if (value === null && shape.nullable) return null;
  const wrong = `must be ${expectation(shape)}`;
  switch (shape.kind) {
    case "text":
      if (typeof value === "number" || typeof value === "boolean") return `${wrong}: put it in quotes`;
      if (typeof value !== "string") return wrong;
      if (value.includes("\0")) return "contains a NUL character";
      if (value.length < shape.minLength) return "must not be empty";
      return shape.pattern === null || new RegExp(shape.pattern).test(value) ? null : wrong;
    case "integer":
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return wrong;
      if (shape.kind === "integer" && !Number.isInteger(value)) return wrong;
      return value >= shape.minimum && value <= shape.maximum ? null : wrong;
    case "boolean":
      return typeof value === "boolean" ? null : wrong;
    case "choice": {
      if (typeof value === "string" && shape.values.includes(value)) return null;
      const meant = typeof value === "string" ? nearestName(value, shape.values) : null;
      return meant === null ? wrong : `${wrong}; did you mean ${meant}?`;
    }
    default:
      return wrong;
  }
};
