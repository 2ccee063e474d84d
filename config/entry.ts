/** Where a setting stands: a line of the file, or an environment variable. */
export type Origin = string;

/** A setting as it was written, before the schema is asked what it should be. */
export type Entry =
  | {
      kind: "scalar";
      origin: Origin;
      value: string | number | boolean | null;
      /** Text from the environment: its type is the schema's, `"7373"` is a number where one is wanted. */
      untyped: boolean;
    }
  | { kind: "list"; origin: Origin; items: Entry[] }
  | { kind: "section"; origin: Origin; entries: Map<string, { keyOrigin: Origin; entry: Entry }> };

export const emptySection = (origin: Origin): Entry & { kind: "section" } => ({
  kind: "section",
  origin,
  entries: new Map(),
});

/** Sets `entry` at `path`, over what is there, making the sections on the way. */
export const setEntry = (root: Entry & { kind: "section" }, path: readonly string[], entry: Entry): void => {
  let section = root;
  for (const name of path.slice(0, -1)) {
    const found = section.entries.get(name)?.entry;
    if (found?.kind === "section") {
      section = found;
      continue;
    }
    // Something other than a section, or than a bare `name:`, is a fault of its own, which must stay to be found.
    if (found !== undefined && !(found.kind === "scalar" && found.value === null)) return;
    const made = emptySection(entry.origin);
    section.entries.set(name, { keyOrigin: entry.origin, entry: made });
    section = made;
  }
  section.entries.set(path.at(-1) ?? "", { keyOrigin: entry.origin, entry });
};

/**
 * Origin of the setting at `path` (`webhooks[1].url`), or of the nearest list or section around it that was written;
 * null where none was.
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
