import type { Config } from "../../config/schema.ts";
import type { FileParser } from "../../providers/contract.ts";
import { createFileParser } from "./file-parser.ts";
import { createUnstructuredParser } from "./unstructured/parser.ts";

/** The parser that reads files: the built-in one, an Unstructured server, or both in the configured order. */
export const createConfiguredParser = (config: Pick<Config, "parser" | "ingest">, builtin: FileParser): FileParser => {
  const { provider, baseUrl } = config.parser;
  if (baseUrl === null) return builtin;
  const unstructured = createUnstructuredParser(config.parser, baseUrl, config.ingest.concurrency);
  return provider === "unstructured"
    ? createFileParser(unstructured, builtin, builtin)
    : createFileParser(builtin, unstructured, builtin);
};
