import { version } from "../domain/version.ts";
import { leanDocument } from "../http/docs/lean-document.ts";
import { openApiDocument } from "../http/docs/openapi-document.ts";
import { declaredEndpoints } from "../program/app.ts";
import type { Environment } from "../program/environment.ts";

/**
 * The OpenAPI document of this version, as `/openapi.json` has it, with a line for each path and schema; or the whole one of
 * `/openapi.full.json`, indented.
 */
export const openApiText = ({ isWhole = false } = {}): string => {
  const whole = openApiDocument(declaredEndpoints(), version);
  if (isWhole) return `${JSON.stringify(whole, null, 2)}\n`;
  const { components, ...document } = leanDocument(whole);
  const { schemas, ...others } = components as Record<string, Record<string, unknown>>;
  const parts = { ...others, schemas: linesOf(schemas) };
  const text = { ...document, paths: linesOf(document.paths), components: linesOf(parts) };
  return `${linesOf(text)}\n`;
};

/** A text that is JSON already. */
class Written extends String {}

const linesOf = (record: unknown): Written => {
  const lines = Object.entries(record as Record<string, unknown>).map(
    ([name, value]) => `${JSON.stringify(name)}: ${value instanceof Written ? value : JSON.stringify(value)}`,
  );
  return new Written(`{\n${lines.join(",\n")}\n}`);
};

/** `carrel openapi`: prints the document; neither a server nor a store is needed. */
export const openapi = ({ full = false }: { full?: boolean }, { write }: Pick<Environment, "write">): void =>
  write(openApiText({ isWhole: full }));
