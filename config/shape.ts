import { KindGuard, type TSchema } from "@sinclair/typebox";
import { isSecretSchema } from "./secret.ts";

/** The part of a text that is never shown: all of it, or all of an address but its host. */
type Secrecy = "none" | "path" | "whole";

/** What a setting accepts, derived from the schema. */
export type Shape = {
  nullable: boolean;
  /** Undefined if it is required (in an entry of a list). */
  initial: unknown;
  description: string;
  /** It can change while the server runs. */
  isLive: boolean;
} & (
  | { kind: "section"; keys: Map<string, Shape> }
  | { kind: "list"; item: Shape }
  | { kind: "text"; minLength: number; pattern: string | null; secrecy: Secrecy }
  | { kind: "integer" | "number"; minimum: number; maximum: number }
  | { kind: "boolean" }
  | { kind: "choice"; values: string[] }
  /** Keys of the writer's own. */
  | { kind: "object"; item: Shape }
  /** Whatever is written, as it is written. */
  | { kind: "any" }
);

/** @throws Error if the schema uses a TypeBox type that is not handled here: a mistake in config/schema.ts */
export const shapeOf = (schema: TSchema): Shape => {
  const { default: initial, description = "" } = schema;
  const common = { nullable: false, initial: initial as unknown, description, isLive: isLiveSchema(schema) };
  if (KindGuard.IsUnion(schema)) {
    const rest = schema.anyOf.filter((option) => !KindGuard.IsNull(option));
    const [only] = rest;
    if (only !== undefined && rest.length === 1 && rest.length < schema.anyOf.length)
      return { ...shapeOf(only), ...common, nullable: true };
    const values = rest.flatMap((option) =>
      KindGuard.IsLiteral(option) && typeof option.const === "string" ? [option.const] : [],
    );
    if (values.length === schema.anyOf.length) return { ...common, kind: "choice", values };
  }
  if (KindGuard.IsObject(schema)) {
    const keys = new Map(Object.entries(schema.properties).map(([name, inner]) => [name, shapeOf(inner)]));
    return { ...common, kind: "section", keys };
  }
  if (KindGuard.IsArray(schema)) return { ...common, kind: "list", item: shapeOf(schema.items) };
  if (isSecretSchema(schema))
    return {
      ...common,
      kind: "text",
      minLength: 1,
      pattern: (schema.pattern as string | undefined) ?? null,
      secrecy: "whole",
    };
  if (KindGuard.IsString(schema))
    return {
      ...common,
      kind: "text",
      minLength: schema.minLength ?? 0,
      pattern: schema.pattern ?? null,
      secrecy: (schema.secrecy as Secrecy | undefined) ?? "none",
    };
  if (KindGuard.IsInteger(schema) || KindGuard.IsNumber(schema))
    return {
      ...common,
      kind: KindGuard.IsInteger(schema) ? "integer" : "number",
      minimum: schema.minimum ?? -Infinity,
      maximum: schema.maximum ?? Infinity,
    };
  const [values] = KindGuard.IsRecord(schema) ? Object.values(schema.patternProperties) : [];
  if (values !== undefined) return { ...common, kind: "object", item: shapeOf(values) };
  if (KindGuard.IsBoolean(schema)) return { ...common, kind: "boolean" };
  if (KindGuard.IsUnknown(schema)) return { ...common, kind: "any" };
  throw new Error("config/schema.ts uses a schema type that config/shape.ts does not handle");
};

/** Every setting with its path. Lists count as one setting. */
export const settingsOf = (shape: Shape, path: readonly string[] = []): { path: string[]; shape: Shape }[] =>
  shape.kind === "section"
    ? [...shape.keys].flatMap(([name, inner]) => settingsOf(inner, [...path, name]))
    : [{ path: [...path], shape }];

/** What is accepted, in words: `a whole number from 0 to 65535, or null`. */
export const expectation = (shape: Shape): string => `${expectedKind(shape)}${shape.nullable ? ", or null" : ""}`;

const patternWords: Record<string, string> = {
  "^https?://[^\\s/?#@]+(/[^\\s?#]*)?$": "an http:// or https:// address without user name, query or fragment",
  "^https?://[^\\s/?#@]+([/?][^\\s#]*)?$": "an http:// or https:// address without user name or fragment",
  "^[0-9]+(ms|s|m|h|d)$": "a time such as 30s, 15m or 24h",
  "^(-1|0|[0-9]{1,6}(s|m|h))$": "a time such as 30s, 15m or 24h, -1 or 0",
};

const expectedKind = (shape: Shape): string => {
  switch (shape.kind) {
    case "section":
      return `a section with the keys ${[...shape.keys.keys()].join(", ")}`;
    case "list":
      return shape.item.kind === "section" ? "a list of sections" : "a list of texts";
    case "text":
      return shape.pattern === null ? "a text" : (patternWords[shape.pattern] ?? `a text like ${shape.pattern}`);
    case "boolean":
      return "true or false";
    case "object":
      return "a section with keys of your own";
    case "any":
      return "any value";
    case "choice":
      return `one of ${shape.values.join(", ")}`;
    default: {
      const noun = shape.kind === "integer" ? "a whole number" : "a number";
      if (shape.maximum < Number.MAX_SAFE_INTEGER) return `${noun} from ${shape.minimum} to ${shape.maximum}`;
      return shape.minimum === -Infinity ? noun : `${noun} of at least ${shape.minimum}`;
    }
  }
};

/** A symbol: it does not get into the JSON Schema. */
const liveMark = Symbol("live");

/**
 * A setting that can change while the server runs: code that uses it reads it from the configuration at each use, and
 * keeps no copy.
 */
export const live = <T extends TSchema>(schema: T): T => ({ ...schema, [liveMark]: true });

const isLiveSchema = (schema: TSchema): boolean => (schema as { [liveMark]?: boolean })[liveMark] === true;
