import type { Config } from "../../config/schema.ts";
import type { FileParser } from "../../providers/contract.ts";
import { createFileParser } from "./file-parser.ts";
import { createUnstructuredParser } from "./unstructured/parser.ts";

type ServerName = Exclude<Config["parser"]["provider"], "builtin">;
type CreateServerParser = (settings: Config["parser"], baseUrl: string, concurrency: number) => FileParser;

/**
 * The parser servers that the configuration can name. As in src/models/registry.ts, the type checks the names here and
 * in config/schema.ts against each other.
 */
const parserServers: Record<ServerName, CreateServerParser> = { unstructured: createUnstructuredParser };

/** The server that reads what the built-in parser cannot, if `parser.baseUrl` is set beside `provider: builtin`. */
const secondParser: ServerName = "unstructured";

/** What reads files: the built-in parser, a parser server, or both in the configured order. */
export const createConfiguredParser = (config: Pick<Config, "parser" | "ingest">, builtin: FileParser): FileParser => {
  const { provider, baseUrl } = config.parser;
  if (baseUrl === null) return builtin;
  const create = parserServers[provider === "builtin" ? secondParser : provider];
  const server = create(config.parser, baseUrl, config.ingest.concurrency);
  return provider === "builtin"
    ? createFileParser(builtin, server, builtin)
    : createFileParser(server, builtin, builtin);
};
