import { type Shape, settingsOf } from "./shape.ts";

/** Where a setting was written: a line of the file, or an environment variable. */
export type Origin = string;

/** A setting as it was written, not yet checked against the schema. */
export type Entry =
  | {
      kind: "scalar";
      origin: Origin;
      value: string | number | boolean | null;
      /** Text from the environment: the schema decides its type, `"7373"` becomes a number if one is expected. */
      untyped: boolean;
    }
  | { kind: "list"; origin: Origin; items: Entry[] }
  | { kind: "section"; origin: Origin; entries: Map<string, { keyOrigin: Origin; entry: Entry }> };

export const emptySection = (origin: Origin): Entry & { kind: "section" } => ({
  kind: "section",
  origin,
  entries: new Map(),
});

/** Sets `entry` at `path`, in place of an earlier one, and creates the sections on the way. */
export const setEntry = (root: Entry & { kind: "section" }, path: readonly string[], entry: Entry): void => {
  let section = root;
  for (const name of path.slice(0, -1)) {
    const found = section.entries.get(name)?.entry;
    if (found?.kind === "section") {
      section = found;
      continue;
    }
    // Anything but a section or an empty `name:` is a fault, which is reported later.
    if (found !== undefined && !(found.kind === "scalar" && found.value === null)) return;
    const made = emptySection(entry.origin);
    section.entries.set(name, { keyOrigin: entry.origin, entry: made });
    section = made;
  }
  section.entries.set(path.at(-1) ?? "", { keyOrigin: entry.origin, entry });
};

/**
 * Origin of the setting at `path` (`webhooks[1].url`), or of the nearest list or section around it that was written;
 * null if none was.
 */
export const originOf = (root: Entry, path: string): Origin | null => {
  let origin: Origin | null = null;
  let entry: Entry | undefined = root;
  for (const name of path.split(/\.|(?=\[)/)) {
    if (entry?.kind === "list" && name.startsWith("[")) {
      entry = entry.items[Number.parseInt(name.slice(1), 10)];
      origin = entry?.origin ?? origin;
      continue;
    }
    if (entry?.kind !== "section") break;
    const found: { keyOrigin: Origin; entry: Entry } | undefined = entry.entries.get(name);
    if (found === undefined) break;
    origin = found.keyOrigin;
    entry = found.entry;
  }
  return origin;
};

/**
 * Where settings were written, by path (`server.port`): a line of the file (`carrel.yaml:12`) or an environment variable.
 * A setting that keeps its default is missing.
 */
export type SettingSources = ReadonlyMap<string, Origin>;

/** @param root the entries of file and environment, after the environment took its place */
export const sourcesOf = (shape: Shape, root: Entry): SettingSources =>
  new Map(
    settingsOf(shape).flatMap(({ path, shape: { kind } }) => {
      const origin = writtenAt(root, path, kind === "list");
      return origin === null ? [] : [[path.join("."), origin] as const];
    }),
  );

/** Origin of the setting itself; null where it is not written, or is written without a value (`folders:`). */
const writtenAt = (root: Entry, path: readonly string[], isList: boolean): Origin | null => {
  let entry: Entry = root;
  let origin: Origin | null = null;
  for (const name of path) {
    const found: { keyOrigin: Origin; entry: Entry } | undefined =
      entry.kind === "section" ? entry.entries.get(name) : undefined;
    if (found === undefined) return null;
    entry = found.entry;
    origin = found.keyOrigin;
  }
  return entry.kind === "scalar" && entry.value === null && (entry.untyped || isList) ? null : origin;
};
