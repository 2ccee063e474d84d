import type { Config } from "../../config/schema.ts";
import { type FileParser, ProviderError } from "../../providers/contract.ts";
import { ApiError } from "../domain/errors.ts";
import { createUnstructuredParser } from "./unstructured/parser.ts";

/** Errors that another parser may not have: an unknown type, a scan without OCR, a file that crashes the parser. */
const isWorthAnotherParser = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.code === "unsupported_file_type" || error.code === "no_text"
    : error instanceof ProviderError && error.kind === "bad_answer";

/** The parser does not answer now; it might have read the file. */
const isUnavailable = (error: unknown): boolean => error instanceof ProviderError && error.kind !== "bad_answer";

/**
 * Two parsers as one: files that the first cannot read go to the second. If that fails too, the built-in parser's error
 * is thrown, because it says best what to do. If the second is unavailable, that is thrown: it might have read the
 * file.
 */
export const createFileParser = (first: FileParser, second: FileParser, builtin: FileParser): FileParser => ({
  async parse(file, signal, onPage) {
    try {
      return await first.parse(file, signal, onPage);
    } catch (error) {
      if (!isWorthAnotherParser(error)) throw error;
      try {
        return await second.parse(file, signal, onPage);
      } catch (other) {
        if (isUnavailable(other)) throw other;
        throw second === builtin ? other : error;
      }
    }
  },
});

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
