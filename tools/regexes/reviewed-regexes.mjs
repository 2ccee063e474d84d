/**
 * Regular expressions that tools/regexes/check-regexes.mjs cannot call safe, each with why its cost is bounded all the same.
 * `code` is the expression as it stands in the source, or which of the file's calls of `RegExp` it is.
 */
const setting = "read from the configuration, which the operator writes";
const question = "read over a question, which has 8,000 characters at most; each part of the expression has a bound";
const line = "read over the first 240 characters of a line";

export const reviewedRegexes = [
  { file: "config/load.ts", code: String.raw`/\/+$/`, reason: setting },
  { file: "config/read.ts", code: String.raw`/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i`, reason: setting },
  {
    file: "config/read.ts",
    code: "RegExp call 1",
    reason: "a pattern of config/schema.ts, over a setting",
  },
  { file: "providers/http/outbound.ts", code: String.raw`/\/+$/`, reason: setting },
  { file: "src/commands/eval/http-client.ts", code: String.raw`/\/+$/`, reason: setting },
  { file: "src/http/client-address.ts", code: String.raw`/\/+$/`, reason: setting },
  { file: "src/domain/origin.ts", code: String.raw`/\/+$/`, reason: setting },
  { file: "providers/embedding/prefixes.ts", code: "/e5-mistral|e5.*instruct/i", reason: setting },
  { file: "providers/embedding/prefixes.ts", code: "/snowflake-arctic-embed2|arctic-embed-.*v2/i", reason: setting },
  {
    file: "src/http/path-lookup.ts",
    code: "RegExp call 1",
    reason: "made of the paths of src/app.ts: fixed words and `[^/]+`, parted by slashes",
  },
  {
    file: "src/text/tokens/fast/split-pieces.ts",
    code: "RegExp call 1",
    reason: "sticky, over windows of 65,536 characters; each of its alternatives is linear (test/ingest/tokens)",
  },
  {
    file: "src/parse/formats/pdf/running-lines.ts",
    code: String.raw`/^(?:[-–—\s]*(?:page|seite|página|pagina|p\.?)?\s*#(?:\s*(?:\/|of|von|de|di|sur)\s*#)?[-–—\s]*|[ivxlc]{1,6})$/i`,
    reason: "read over 100 characters at most",
  },
  {
    file: "src/text/analysis/asking-phrase.ts",
    code: "RegExp call 1",
    reason: "bound to the begin; the phrases are fixed words without repetition",
  },
  {
    file: "src/text/analysis/fast/english-rules.ts",
    code: "RegExp call 1",
    reason: "fixed endings, over a word of 64 characters at most",
  },
  {
    file: "src/text/analysis/fold.ts",
    code: "RegExp call 1",
    reason: "one class of characters",
  },
  {
    file: "src/text/analysis/exact-passages.ts",
    code: String.raw`/(?<![a-z\d])(?=[a-z\d_./:#@-]{0,99}\d)(?=[a-z\d_./:#@-]{0,99}[a-z_/:#-])[a-z\d]+(?:[_./:#@-][a-z\d]+){0,20}(?![a-z\d])/giu`,
    reason: question,
  },
  { file: "src/text/chunk/blocks.ts", code: String.raw`/^(#{1,6})[ \t]+(\S.*?)[ \t]*#*$/`, reason: line },
  {
    file: "src/text/chunk/blocks.ts",
    code: String.raw`/^(=(?: ?=){0,5}) +([^=\s][^=]*?) +=(?: ?=){0,5}$/`,
    reason: line,
  },
  {
    file: "src/text/analysis/fold.ts",
    code: String.raw`/(?<=[\p{Script=Latin}\p{Script=Greek}])\p{Mn}+|(?<=е)\u0308/gu`,
    reason: "looks one character back, then takes the whole run of marks",
  },
  {
    file: "src/answers/quote/quote.ts",
    code: String.raw`/(?: |(?<![\p{L}\p{N}_)\]]))\[\d{1,3}\](?: ?\[\d{1,3}\])*(?!\()/gu`,
    reason: "begins at the first mark of a row alone, and is read over a passage of a chunk",
  },
];
