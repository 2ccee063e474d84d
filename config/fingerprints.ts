import { createHmac } from "node:crypto";
import { type Config, configSchema } from "./schema.ts";
import { Secret } from "./secret.ts";
import { settingsOf, shapeOf } from "./shape.ts";

const valueAt = (config: Config, path: readonly string[]): unknown =>
  path.reduce<unknown>((section, name) => (section as Record<string, unknown>)[name], config);

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
