import type { LineCounter, YAMLError } from "yaml";
import type { ConfigFault } from "./fault.ts";

/** In place of messages that quote the file, which may hold a secret, or that speak to programmers. */
const plainMessages: Record<string, string> = {
  BAD_COLLECTION_TYPE: "Unresolved tag",
  BAD_DIRECTIVE: "Unknown directive",
  BAD_DQ_ESCAPE: "Invalid escape sequence",
  NON_STRING_KEY: "All keys must be strings",
  MULTIPLE_DOCS: "Source contains multiple documents",
  TAG_RESOLVE_FAILED: "Unresolved tag",
};

const advice: Record<string, string> = {
  BAD_DQ_ESCAPE: "put the value in '…', or write each backslash twice",
  BAD_SCALAR_START: "put the value in quotes",
  BLOCK_AS_IMPLICIT_KEY: "put a value that contains `: ` in quotes, and indent the keys of a section alike",
  MULTILINE_IMPLICIT_KEY: "write each line as `key: value`",
  MULTIPLE_DOCS: "remove the line `---`",
  TAB_AS_INDENT: "use spaces",
};

/** In `{ port: ${NAME} }` the brace after the `$` opens a map. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration's own syntax
const variableAdvice = 'put ${NAME} in quotes: "${NAME}"';

/**
 * A syntax error as a fault, in the parser's words, with line and column. What the parser quotes from the file is left
 * out.
 */
export const yamlFault = (
  { code, message, pos: [offset] }: YAMLError,
  text: string,
  fileName: string,
  lines: LineCounter,
): ConfigFault => {
  const { line, col } = lines.linePos(offset);
  const own = message.replace(/(token|stream|document|characters): .*$/s, "$1").replace(/ (["'])quote$/, " $1 quote");
  const words = plainMessages[code] ?? own;
  const isVariable = text.slice(offset - 1, offset + 1) === "${";
  const hint = isVariable ? variableAdvice : advice[code];
  return {
    where: `${fileName}:${Math.max(1, line)}:${Math.max(1, col)}`,
    path: "",
    message: `is not YAML: ${words}${hint === undefined ? "" : `; ${hint}`}`,
  };
};
