import type { Entry, Origin } from "./entry.ts";
import { type Shape, settingsOf } from "./shape.ts";

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
