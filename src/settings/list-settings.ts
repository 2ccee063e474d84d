import type { SettingSources } from "../../config/entry.ts";
import { isFromFile, variableOf } from "../../config/environment.ts";
import { type Config, configSchema } from "../../config/schema.ts";
import { expectation, type Shape, settingsOf, shapeOf } from "../../config/shape.ts";

/** A setting in force. */
export interface Setting {
  /** Its path, such as `server.port`. */
  name: string;
  /** The environment variable that sets it. */
  variable: string;
  /** Null where it is hidden. In lists, secrets are replaced by words. */
  value: unknown;
  default: unknown;
  source: "default" | "file" | "environment";
  /** `carrel.yaml:12` or the name of the variable; null for a default. */
  where: string | null;
  description: string;
  /** What it accepts, in words. */
  takes: string;
  /** It holds a secret, or came in a file as secrets do, and is set. */
  hidden: boolean;
}

const hiddenWords = "(hidden)";

/** Every setting in force, where it was written and what it does. Secrets are left out. */
export const listSettings = (config: Config, sources: SettingSources): Setting[] =>
  settingsOf(shapeOf(configSchema)).map(({ path, shape }) => {
    const name = path.join(".");
    const value = valueAt(config, path);
    const where = sources.get(name) ?? null;
    const isSecret = (shape.kind === "text" && shape.secrecy === "whole") || isFromFile(where);
    const hidden = isSecret && value !== null;
    return {
      name,
      variable: variableOf(path),
      value: hidden ? null : withoutSecrets(shape, value),
      default: shape.initial ?? null,
      // A variable's name holds no colon; a place in the file ends with one and the line.
      source: where === null ? "default" : where.includes(":") ? "file" : "environment",
      where,
      description: shape.description,
      takes: expectation(shape),
      hidden,
    };
  });

const valueAt = (config: Config, path: readonly string[]): unknown => {
  let value: unknown = config;
  for (const name of path) value = (value as Record<string, unknown>)[name];
  return value;
};

const withoutSecrets = (shape: Shape, value: unknown): unknown => {
  if (value === null || value === undefined) return null;
  if (shape.kind === "list") return (value as unknown[]).map((item) => withoutSecrets(shape.item, item));
  if (shape.kind === "section")
    return Object.fromEntries(
      [...shape.keys].map(([name, inner]) => [name, withoutSecrets(inner, (value as Record<string, unknown>)[name])]),
    );
  if (shape.kind === "object")
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutSecrets(shape.item, inner)]));
  if (shape.kind !== "text" || shape.secrecy === "none") return value;
  return shape.secrecy === "path" ? `${new URL(String(value)).origin}/…` : hiddenWords;
};
