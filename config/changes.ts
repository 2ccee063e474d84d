import { createHmac } from "node:crypto";
import { type Config, configSchema } from "./schema.ts";
import { Secret } from "./secret.ts";
import { settingsOf, shapeOf } from "./shape.ts";

/** Paths of settings whose values differ. */
export interface SettingChanges {
  /** They can change while the server runs. */
  live: string[];
  /** They need a restart. */
  fixed: string[];
}

export const changesBetween = (config: Config, next: Config): SettingChanges => {
  const changes: SettingChanges = { live: [], fixed: [] };
  for (const { path, shape } of settingsOf(shapeOf(configSchema))) {
    if (isSame(valueAt(config, path), valueAt(next, path))) continue;
    changes[shape.isLive ? "live" : "fixed"].push(path.join("."));
  }
  return changes;
};

/**
 * Copies the values of `next` into `config` itself: code that holds it, or a section of it, reads them at the next use.
 */
export const applySettings = (config: Config, next: Config, paths: readonly string[]): void => {
  for (const path of paths) {
    const names = path.split(".");
    const section = valueAt(config, names.slice(0, -1)) as Record<string, unknown>;
    section[names.at(-1) ?? ""] = valueAt(next, names);
  }
};

const valueAt = (config: Config, path: readonly string[]): unknown =>
  path.reduce<unknown>((section, name) => (section as Record<string, unknown>)[name], config);

const isSame = (a: unknown, b: unknown): boolean => {
  if (a instanceof Secret && b instanceof Secret) return a.reveal() === b.reveal();
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const names = Object.keys(a);
  return (
    a.constructor === b.constructor &&
    names.length === Object.keys(b).length &&
    names.every((name) => isSame((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]))
  );
};

/** The value with its secrets, used for a fingerprint only. */
const whole = (value: unknown): unknown => {
  if (value instanceof Secret) return { secret: value.reveal() };
  if (Array.isArray(value)) return value.map(whole);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, whole(inner)]));
};

/**
 * A fingerprint of each setting by its path, which only a holder of the key can use, and only to see whether two are
 * the same.
 */
export const fingerprintsOf = (config: Config, key: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    settingsOf(shapeOf(configSchema)).map(({ path }) => {
      const value = JSON.stringify(whole(valueAt(config, path))) ?? "";
      return [path.join("."), createHmac("sha256", key).update(`setting\n${value}`).digest("hex").slice(0, 32)];
    }),
  );
