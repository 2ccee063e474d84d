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
